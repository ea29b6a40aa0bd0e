/** Several processes of catalog at once, and one that crashes. */
import { events } from '@vds/proto/events';
import { tracksAt } from '@vds/proto/testing/terminal-events';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { stages } from '../../src/domain/stages.ts';
import { fastRepublishHarness } from '../service/shared-fixture.ts';
import type { Harness } from '../service/harness.ts';
import { actOn, type Acting } from '../service/partner.ts';
import { namedStages } from '../domain/stages.ts';

describe('several processes of catalog', () => {
  let harness: Harness;
  let act: Acting;
  before(async () => {
    harness = await fastRepublishHarness();
    act = actOn(harness);
  });

  it('replicas agree on one outcome of concurrent commands and events', async () => {
    const endpoints = harness.processes.map((one) => one.as('gateway'));
    for (let round = 0; round < 5; round++) {
      const video = await act.ready();
      const calls = Array.from({ length: 30 }, async (_, n) => {
        const endpoint = endpoints[n % 2];
        return n % 3 === 0 ? endpoint?.ArchiveVideo(video) : endpoint?.RepublishVideo(video);
      });
      const replies = await Promise.all(calls);
      expect(replies.every((reply) => reply?.status === 'archived' || reply?.status === 'public')).to.equal(true);
      const { rows } = await harness.pool.query<{
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
      // Created, every stage and a milestone; one of the audited changes is that of the last stage.
      expect(rows[0]?.version).to.equal(1 + stages.length + Number(rows[0]?.repeats) + Number(rows[0]?.audit));
    }
  });

  it('duplicate, late, early and stale events have the same effect as if each had come once', async () => {
    const videos = await Promise.all(Array.from({ length: 10 }, () => act.create()));
    const publishAll = async ({ id }: { id: string }): Promise<void> => {
      const started = () => harness.publish(events.fetchStarted, { videoId: id, attempt: 1 });
      const stale = () =>
        harness.publish(events.fetchFailed, { videoId: id, attempt: 0, code: 'source_timeout', details: {} });
      const future = () =>
        harness.publish(events.encodeCompleted, {
          videoId: id,
          attempt: 2,
          ladderKey: 'x',
          thumbnailKey: 'x',
          durationMs: 1,
        });
      const audio = () =>
        harness.publish(events.audioCompleted, { videoId: id, attempt: 1, hasAudio: true, audioPlaylistKey: 'a' });
      const tracks = (revision: number) =>
        harness.publish(events.tracksChanged, { videoId: id, attempt: 1, state: tracksAt(id, revision) });
      await act.awaitEvents(id, 'fetchRequested');
      await Promise.all([act.complete.fetch(id), started(), act.complete.fetch(id), stale(), future(), started()]);
      await act.awaitEvents(id, 'inspectRequested');
      await Promise.all([act.complete.inspect(id), act.complete.fetch(id), act.complete.inspect(id), stale()]);
      await act.awaitEvents(id, 'encodeRequested');
      await Promise.all([
        act.complete.encode(id),
        act.complete.encode(id),
        act.complete.encode(id),
        act.complete.inspect(id),
        audio(),
        audio(),
      ]);
      await act.awaitEvents(id, 'captionsRequested');
      await Promise.all([tracks(2), tracks(5), act.complete.captions(id), tracks(1), act.complete.captions(id)]);
      await act.awaitEvents(id, 'metadataRequested');
      const wrong = () => act.complete.metadata(id, 1, 3);
      await Promise.all([wrong(), act.complete.metadata(id), wrong(), act.complete.metadata(id), tracks(4)]);
    };
    await Promise.all(videos.map(publishAll));
    for (const video of videos) {
      const seen = await act.stateIs(video, 'READY');
      expect(seen).to.include({ durationSeconds: 25 });
      const revision = 'SELECT 1 FROM videos WHERE id = $1 AND captions_revision >= 5';
      await until(async () => (await harness.pool.query(revision, [video.id])).rows.length > 0, { what: 'the tracks' });
      await act.othersEnd(video.id);
      const { rows } = await harness.pool.query(
        `SELECT attempt, captions_revision, (SELECT count(*)::int FROM stages WHERE video_id = $1) AS stages,
        (SELECT max(revision) FROM stages WHERE video_id = $1 AND stage = ANY($2)) AS revision, (SELECT count(*)::int FROM audit WHERE video_id = $1) AS audit FROM videos WHERE id = $1`,
        [video.id, namedStages],
      );
      expect(rows).to.deep.equal([{ attempt: 1, captions_revision: 5, stages: stages.length, revision: 0, audit: 1 }]);
    }
  });

  it('processing continues when one replica is killed', async () => {
    const videos = await Promise.all(Array.from({ length: 10 }, () => act.create()));
    const stopObliging = act.autoComplete(videos.map(({ id }) => id));
    const [first, second] = harness.processes;
    await act.awaitEvents(videos[0]?.id ?? '', 'inspectRequested');
    await second?.kill9();
    await Promise.all(videos.map((video) => act.stateIs(video, 'READY')));
    await stopObliging();
    harness.processes.splice(0, 2, ...(first ? [first] : []));
  });
});
