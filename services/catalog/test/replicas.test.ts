/** Several processes of catalog at once, and one that dies. */
import { events } from '@vds/proto/events';
import { tracksAt } from '@vds/proto/testing/last-words';
import { expect } from 'chai';
import { stages } from '../src/domain/stages.ts';
import { impatientHouse } from './shared-fixture.ts';
import type { House } from './harness.ts';
import { actOn, type Acting } from './partner.ts';
import { namedStages } from './stages.ts';

describe('several processes of catalog', () => {
  let house: House;
  let act: Acting;
  before(async () => {
    house = await impatientHouse();
    act = actOn(house);
  });

  it('agree on one outcome when partner and stages all speak at once, again and again', async () => {
    const endpoints = house.processes.map((one) => one.as('gateway'));
    for (let round = 0; round < 5; round++) {
      const video = await act.ready();
      const orders = Array.from({ length: 30 }, async (_, n) => {
        const door = endpoints[n % 2];
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
        repeats: number;
      }>(
        `SELECT state, version, (SELECT count(*)::int FROM clips WHERE video_id = v.id) AS clips,
          (SELECT count(*)::int FROM audit WHERE video_id = v.id) AS audit,
          (SELECT COALESCE(sum(revision), 0)::int FROM stages WHERE video_id = v.id AND stage <> ALL($2)) AS repeats
        FROM videos v WHERE id = $1`,
        [video.id, namedStages],
      );
      expect(rows[0]?.clips).to.equal(rows[0]?.state === 'ready' ? 1 : 0);
      // Created, every stage and a milestone; one of the changes that the audit knows is the last stage's.
      expect(rows[0]?.version).to.equal(1 + stages.length + Number(rows[0]?.repeats) + Number(rows[0]?.audit));
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
      const audio = () =>
        house.say(events.audioCompleted, { videoId: id, attempt: 1, hasAudio: true, playlistKey: 'a' });
      const tracks = (revision: number) =>
        house.say(events.tracksChanged, { videoId: id, attempt: 1, state: tracksAt(id, revision) });
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
        audio(),
        audio(),
      ]);
      await act.hears(id, 'captionsRequested');
      await Promise.all([tracks(2), tracks(5), act.complete.captions(id), tracks(1), act.complete.captions(id)]);
      await act.hears(id, 'metadataRequested');
      const wrong = () => act.complete.metadata(id, 1, 3);
      await Promise.all([wrong(), act.complete.metadata(id), wrong(), act.complete.metadata(id), tracks(4)]);
    };
    await Promise.all(videos.map(storm));
    for (const video of videos) {
      const seen = await act.stateIs(video, 'READY');
      expect(seen).to.include({ durationSeconds: 25 });
      await act.othersEnd(video.id);
      const { rows } = await house.pool.query(
        `SELECT attempt, captions_revision, (SELECT count(*)::int FROM stages WHERE video_id = $1) AS stages,
        (SELECT max(revision) FROM stages WHERE video_id = $1 AND stage = ANY($2)) AS revision, (SELECT count(*)::int FROM audit WHERE video_id = $1) AS audit FROM videos WHERE id = $1`,
        [video.id, namedStages],
      );
      expect(rows).to.deep.equal([{ attempt: 1, captions_revision: 5, stages: stages.length, revision: 0, audit: 1 }]);
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
