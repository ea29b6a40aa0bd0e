/** Many videos with sound at a time: progress updates run concurrently with the results of other jobs. */
import { join } from 'node:path';
import { expect } from 'chai';
import { runs } from '@vds/testkit/counts';
import { transcode } from './catalog.ts';
import { fastH264, ffmpeg, makeFolder, picture, removeFolder, tone } from './clips.ts';
import { openHouse, type House } from './harness.ts';
import { inLanes } from './odd-files/lanes.ts';

describe('many titles with sound, four at a time', function () {
  const count = runs(30);
  this.timeout(60_000 + count * 5_000);
  let house: House;
  let folder: string;
  before(async () => {
    folder = await makeFolder();
    house = await openHouse({ ENCODE_SLOTS: '4', INSPECT_SLOTS: '2', WHOLE_BELOW: '2s', PIECE_LENGTH: '2s' });
    await house.startWorker();
  });
  after(async () => {
    await house?.close();
    await removeFolder(folder);
  });

  it('are all encoded, each job once, without a deadlock', async () => {
    const path = join(folder, 'clip.mp4');
    await ffmpeg(...picture('96x64', 12, 4), ...tone(4), ...fastH264, '-g', '12', '-c:a', 'aac', path);
    await Promise.all(inLanes(4, Array.from({ length: count }), () => transcode(house, path)));
    const again = await house.pool.query('SELECT name FROM chassis.jobs WHERE tries > 1');
    expect(again.rows).to.deep.equal([]);
    const done = await house.pool.query<{ n: number }>(
      `SELECT count(*) AS n FROM chassis.jobs WHERE queue = 'encode' AND state = 'done'`,
    );
    // Sound, cutting, two pieces, assembly.
    expect(Number(done.rows[0]?.n)).to.equal(count * 5);
    const text = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
    expect(Number((await house.pool.query<{ deadlocks: number }>(text)).rows[0]?.deadlocks)).to.equal(0);
  });
});
