/** Many videos with sound at a time: progress updates run concurrently with the results of other jobs. */
import { join } from 'node:path';
import { expect } from 'chai';
import { runs } from '@vds/testkit/counts';
import { transcode } from './catalog.ts';
import { fastH264, ffmpeg, makeFolder, picture, removeFolder, tone } from './clips.ts';
import { openHarness, type Harness } from './harness.ts';
import { mapConcurrently } from './corpus/map-concurrently.ts';

describe('many videos at a time', function () {
  const count = runs(6);
  this.timeout(60_000 + count * 5_000);
  let harness: Harness;
  let folder: string;
  before(async () => {
    folder = await makeFolder();
    harness = await openHarness({
      ENCODE_SLOTS: '4',
      INSPECT_SLOTS: '2',
      TIME_SCALE: 'wholeBelow=2s',
      PIECE_LENGTH: '2s',
    });
    await harness.startWorker();
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });

  it('many videos with sound are encoded four at a time, each job once, without a deadlock', async () => {
    const path = join(folder, 'clip.mp4');
    await ffmpeg(...picture('96x64', 12, 4), ...tone(4), ...fastH264, '-g', '12', '-c:a', 'aac', path);
    await Promise.all(mapConcurrently(4, Array.from({ length: count }), () => transcode(harness, path)));
    const again = await harness.pool.query('SELECT name FROM chassis.jobs WHERE fence > 1');
    expect(again.rows).to.deep.equal([]);
    const done = await harness.pool.query<{ n: number }>(
      `SELECT count(*) AS n FROM chassis.jobs WHERE stage = 'encode' AND state = 'done'`,
    );
    // The inspection of the head, two chunks of sound, their playlist, two pieces, assembly.
    expect(Number(done.rows[0]?.n)).to.equal(count * 7);
    const text = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
    expect(Number((await harness.pool.query<{ deadlocks: number }>(text)).rows[0]?.deadlocks)).to.equal(0);
  });
});
