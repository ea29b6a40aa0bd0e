/** Purges around what catalog uses, which the rows of a restored database do not name. */
import { expect } from 'chai';
import { AppError } from '../../src/errors.ts';
import type { PurgeDefinition } from '../../src/stage/purge.ts';
import { until } from '@vds/testkit/until';
import { all, purgeKit } from './purge-kit.ts';

describe('a purge and what catalog uses', () => {
  const { pool, objects, put, start, purged, swept, left } = purgeKit();
  const ladder = 'videos/a/2/ladder.1-aa/ladder.json';
  const segment = 'videos/a/2/piece.1-aa/segment';
  const again = 'videos/a/2/piece.1-bb/segment';
  const lost = 'videos/a/2/piece.2-cc/segment';
  const keep = { videoId: 'a', scope: 'PURGE_SCOPE_OTHER_ATTEMPTS', keepAttempt: 2 } as const;
  const putAll = () => put(ladder, segment, again, lost);
  const ofKept = () => objects().list('videos/a/2/');
  /** The rows name what was made again on a restored database. */
  const restored = (namedBy: (key: string) => Promise<string[]>): Partial<PurgeDefinition> => ({
    findWinners: async () => new Set(['piece.1-bb']),
    documentsInUse: ({ ladderKey }) => [ladderKey],
    namedBy,
  });

  it('a purge of other attempts keeps everything that a document in use names, whatever the rows name', async () => {
    await putAll();
    const request = start(
      1,
      restored(async (key) => [key, segment]),
      200,
    );
    await request({ ...keep, inUse: { ladderKey: ladder } });
    await swept('PURGE_SCOPE_OTHER_ATTEMPTS-2');
    expect(await ofKept()).to.have.members([ladder, segment, again]);
    expect(await left()).not.to.include('a/1/x');
  });

  it('a purge of other attempts judges nothing in the kept attempt while a document in use cannot be read', async () => {
    await putAll();
    const unreadable = async (key: string): Promise<never> => {
      throw new AppError('NOT_FOUND', `no ${key}`);
    };
    const request = start(1, restored(unreadable), 200);
    await request({ ...keep, inUse: { ladderKey: ladder } });
    await swept('PURGE_SCOPE_OTHER_ATTEMPTS-2');
    expect(await ofKept()).to.have.members([ladder, segment, again, lost, 'videos/a/2/x']);
    expect(await left()).not.to.include('a/1/x');
  });

  it('a purge of other attempts waits while a document in use is not available', async () => {
    await putAll();
    let isDown = true;
    const request = start(
      1,
      restored(async (key) => {
        if (isDown) throw new AppError('UNAVAILABLE', 'object storage is unavailable');
        return [key, segment];
      }),
    );
    await request({ ...keep, inUse: { ladderKey: ladder } });
    const hasFailed = async (): Promise<boolean> =>
      (await pool().query(`SELECT 1 FROM chassis.jobs WHERE error LIKE '%is unavailable%'`)).rowCount === 1;
    await until(hasFailed, { what: 'the first try' });
    expect(await ofKept()).to.include(lost);
    isDown = false;
    await pool().query('UPDATE chassis.jobs SET run_after = now()');
    await purged();
    expect(await ofKept()).to.have.members([ladder, segment, again]);
  });

  it('a purge of the whole video keeps nothing that was in use when it was requested', async () => {
    await putAll();
    await start(
      1,
      restored(async (key) => [key, segment]),
    )({ ...all, inUse: { ladderKey: ladder } });
    await purged();
    expect(await objects().list('videos/a/')).to.deep.equal([]);
  });
});
