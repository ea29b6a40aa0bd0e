/** Several processes of catalog at once, and one that dies. */
import { events } from '@vds/proto/events';
import { expect } from 'chai';
import { impatientHouse } from './common-house.ts';
import type { House } from './house.ts';
import { actOn, type Acting } from './partner.ts';

describe('several processes of catalog', () => {
  let house: House;
  let act: Acting;
  before(async () => {
    house = await impatientHouse();
    act = actOn(house);
  });

  it('agree on one outcome when partner and stages all speak at once, again and again', async () => {
    const doors = house.processes.map((one) => one.as('gateway'));
    for (let round = 0; round < 5; round++) {
      const video = await act.ready();
      const orders = Array.from({ length: 30 }, async (_, n) => {
        const door = doors[n % 2];
        return n % 3 === 0 ? door?.ArchiveVideo(video) : door?.RepublishVideo(video);
      });
      const replies = await Promise.all(orders);
      expect(replies.every((reply) => reply?.status === 'archived' || reply?.status === 'public')).to.equal(true);
      const { rows } = await house.pool.query<{
        state: string;
        clips: number;
        moves: number;
        version: number;
        audit: number;
      }>(
        `SELECT state, version, (SELECT count(*)::int FROM clips WHERE video_id = v.id) AS clips,
          (SELECT count(*)::int FROM audit WHERE video_id = v.id) AS audit FROM videos v WHERE id = $1`,
        [video.id],
      );
      expect(rows[0]?.clips).to.equal(rows[0]?.state === 'ready' ? 1 : 0);
      // Created, three stages, then one version for each change that the audit knows.
      expect(rows[0]?.version).to.equal(3 + Number(rows[0]?.audit));
    }
  });

  it('take facts that come many times, late, early and of other attempts as if each had come once', async () => {
    const videos = await Promise.all(Array.from({ length: 10 }, () => act.create()));
    const storm = async ({ id }: { id: string }): Promise<void> => {
      const started = () => house.say(events.fetchStarted, { videoId: id, attempt: 1 });
      const stale = () =>
        house.say(events.fetchFailed, { videoId: id, attempt: 0, code: 'source_timeout', details: {} });
      const future = () =>
        house.say(events.encodeCompleted, {
          videoId: id,
          attempt: 2,
          ladderKey: 'x',
          thumbnailKey: 'x',
          durationMs: 1,
        });
      await act.hears(id, 'fetchRequested');
      await Promise.all([act.complete.fetch(id), started(), act.complete.fetch(id), stale(), future(), started()]);
      await act.hears(id, 'inspectRequested');
      await Promise.all([act.complete.inspect(id), act.complete.fetch(id), act.complete.inspect(id), stale()]);
      await act.hears(id, 'encodeRequested');
      await Promise.all([
        act.complete.encode(id),
        act.complete.encode(id),
        act.complete.encode(id),
        act.complete.inspect(id),
      ]);
    };
    await Promise.all(videos.map(storm));
    for (const video of videos) {
      const seen = await act.stateIs(video, 'READY');
      expect(seen).to.include({ durationSeconds: 25 });
      const { rows } = await house.pool.query(
        `SELECT version, attempt, (SELECT count(*)::int FROM stages WHERE video_id = $1) AS stages,
        (SELECT count(*)::int FROM audit WHERE video_id = $1) AS audit FROM videos WHERE id = $1`,
        [video.id],
      );
      expect(rows).to.deep.equal([{ version: 4, attempt: 1, stages: 3, audit: 1 }]);
    }
  });

  it('go on when one is killed in the middle', async () => {
    const videos = await Promise.all(Array.from({ length: 10 }, () => act.create()));
    const stopObliging = act.oblige(videos.map(({ id }) => id));
    const [first, second] = house.processes;
    await act.hears(videos[0]?.id ?? '', 'inspectRequested');
    await second?.kill9();
    await Promise.all(videos.map((video) => act.stateIs(video, 'READY')));
    await stopObliging();
    house.processes.splice(0, 2, ...(first ? [first] : []));
  });

  it('leave on SIGTERM with 0', async () => {
    const another = await house.start();
    expect(await another.stop()).to.equal(0);
    house.processes.push(await house.start());
  });
});
