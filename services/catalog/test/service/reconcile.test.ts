/** The operator's reconciliation as RPC: what it reports, repairs, and leaves unchanged. */
import type { OwnerReport } from '@vds/proto/generated/vds/catalog/v1/OwnerReport.ts';
import type { VideoReport } from '@vds/proto/generated/vds/common/v1/VideoReport.ts';
import { events } from '@vds/proto/events';
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { namedStages } from '../domain/stages.ts';
import { newId, type Harness } from './harness.ts';
import { actOn, failureOf, firstOf, type Acting } from './partner.ts';
import { commonHarness } from './shared-fixture.ts';

describe('a reconciliation of catalog', function () {
  this.timeout(60_000);
  let harness: Harness;
  let act: Acting;
  before(async () => {
    harness = await commonHarness();
    act = actOn(harness);
  });
  const admin = () => firstOf(harness).adminAs('vdsctl');
  const inUse = () => firstOf(harness).onAdminPort('vdsctl');
  const by = { repair: true, actor: 'sre@example.com', reason: 'restored' };
  const report = (owner: string, videoId: string, more: VideoReport = {}): OwnerReport => ({
    owner,
    report: { videoId, hasData: true, ...more },
  });

  /** Catalog's version of a video, read before the services are asked. */
  const versionOf = async (videoId: string): Promise<number> => {
    const { videos } = await inUse().ListVideosInUse({ videoIds: [videoId] });
    return videos[0]?.version ?? 0;
  };

  it('a video in use is listed with the keys of its documents', async () => {
    const video = await act.ready();
    const { rows } = await harness.pool.query<{ seq: number; key: string }>(
      'SELECT version_seq::int - 1 AS seq, ladder_key AS key FROM videos WHERE id = $1',
      [video.id],
    );
    const { videos } = await inUse().ListVideosInUse({ afterVersionSeq: rows[0]?.seq ?? 0, limit: 1 });
    expect(videos[0]).to.include({ videoId: video.id, ladderKey: rows[0]?.key, sourceKey: '' });
    expect(videos[0]?.captionKeys).to.not.be.empty;
    const named = await inUse().ListVideosInUse({ videoIds: [video.id, newId()] });
    expect(named.videos).to.deep.equal(videos);
  });

  it('a dry run changes nothing, a repair purges unknown data and records its actor', async () => {
    const unknown = newId();
    const owners = [report('transcode', unknown)];
    const dry = await admin().Reconcile({ videos: [{ videoId: unknown, owners }] });
    expect(dry.findings).to.deep.equal([
      {
        kind: 'unknown_video',
        videoId: unknown,
        owner: 'transcode',
        detail: 'data of a video that catalog does not know',
        repair: 'purge at transcode',
        repaired: false,
      },
    ]);
    const repaired = await admin().Reconcile({ videos: [{ videoId: unknown, owners }], ...by });
    expect(repaired.findings[0]).to.include({ repaired: true });
    const [purge] = await act.awaitEvents(unknown, 'purgeRequested');
    expect(purge?.payload).to.deep.include({ owners: ['transcode'], scope: 'PURGE_SCOPE_VIDEO' });
    expect(act.eventsOf(unknown, 'purgeRequested')).to.have.length(1);
  });

  it('a live video whose objects are gone is processed again, and is live under the same playback id afterwards', async () => {
    const video = await act.ready();
    const owners = [report('transcode', video.id, { missing: ['videos/x/1/piece-0.1-ab/v/240p/seg-00000.m4s'] })];
    const version = await versionOf(video.id);
    const { findings } = await admin().Reconcile({ videos: [{ videoId: video.id, owners, version }], ...by });
    expect(findings[0]).to.include({ kind: 'objects_missing', repaired: true });
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_PROCESSING' });
    const audio = { videoId: video.id, attempt: 2, hasAudio: true, audioPlaylistKey: 'a.m3u8' };
    for (const stage of namedStages) {
      const isRequested = () =>
        act.eventsOf(video.id, `${stage}Requested`).some(({ payload }) => payload['attempt'] === 2);
      await until(isRequested, { what: `${stage} is requested in the new attempt` });
      if (stage === 'encode') await harness.publish(events.audioCompleted, audio);
      await act.complete[stage](video.id, 2);
    }
    expect(await act.stateIs(video, 'READY')).to.include({ playbackId: video.seen.playbackId });
    const { entries } = await admin().GetHistory({ videoId: video.id });
    expect(entries.filter(({ action }) => action === 'reconcile').map(({ actor, to }) => [actor, to])).to.deep.equal([
      ['sre@example.com', 'processing, attempt 2'],
    ]);
  });

  it('a live video whose ladder cannot be read stays live, whatever is repaired, until that repair is requested', async () => {
    const video = await act.ready();
    const unreadable = [{ key: 'videos/x/1/assemble.1-ab/ladder.json', reason: '`version` must be 1' }];
    const owners = [report('transcode', video.id, { unreadable })];
    const videos = [{ videoId: video.id, owners, version: await versionOf(video.id) }];
    const left = await admin().Reconcile({ videos, ...by });
    expect(left.findings).to.have.length(1);
    expect(left.findings[0]).to.include({ kind: 'document_unreadable', repair: '', repaired: false });
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_READY' });
    const { findings } = await admin().Reconcile({ videos, ...by, repairUnreadable: true });
    expect(findings[0]).to.include({ kind: 'document_unreadable', repair: 'new attempt', repaired: true });
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_PROCESSING' });
  });

  it('captions may ask what is in use, and others may not, nor anyone more on the admin port', async () => {
    const video = await act.ready();
    const [expected] = (await inUse().ListVideosInUse({ videoIds: [video.id] })).videos;
    const { videos } = await firstOf(harness)
      .as('captions')
      .ListVideosInUse({ videoIds: [video.id] });
    expect(videos).to.deep.equal([expected]);
    const refused = await failureOf(
      firstOf(harness)
        .as('gateway')
        .ListVideosInUse({ videoIds: [video.id] }),
    );
    expect(refused).to.include({ code: 'PERMISSION_DENIED' });
    const key = { id: video.id, publisherId: video.publisherId };
    for (const caller of ['gateway', 'vdsctl'])
      expect(await failureOf(firstOf(harness).onAdminPort(caller).GetVideo(key)), caller).to.include({
        code: 'PERMISSION_DENIED',
      });
  });

  it('a video that has changed since the services were asked is neither judged nor repaired', async () => {
    const video = await act.ready();
    const version = await versionOf(video.id);
    await act.gateway.ArchiveVideo({ id: video.id, publisherId: video.publisherId });
    const owners = [report('transcode', video.id, { missing: ['videos/x/1/piece-0.1-ab/v/240p/seg-00000.m4s'] })];
    const reply = await admin().Reconcile({ videos: [{ videoId: video.id, owners, version }], ...by });
    expect(reply).to.deep.equal({ findings: [], changedVideoIds: [video.id] });
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_ARCHIVED' });
    // Reports of a video created in the meantime, or no longer known to a restored database.
    const created = await act.create();
    for (const [videoId, before] of [
      [created.id, 0],
      [newId(), 3],
    ] as const) {
      const kept = [report('transcode', videoId)];
      expect(await admin().Reconcile({ videos: [{ videoId, owners: kept, version: before }], ...by })).to.deep.equal({
        findings: [],
        changedVideoIds: [videoId],
      });
    }
  });

  it('reconciliations at the same time start one new attempt', async () => {
    const video = await act.ready();
    const version = await versionOf(video.id);
    const owners = [report('transcode', video.id, { missing: ['videos/x/1/piece-0.1-ab/v/240p/seg-00000.m4s'] })];
    const request = { videos: [{ videoId: video.id, owners, version }], ...by };
    const replies = await Promise.all([1, 2, 3].map(() => admin().Reconcile(request)));
    const repaired = replies.flatMap(({ findings }) => findings).filter((finding) => finding.repaired);
    expect(repaired).to.have.length(1);
    await act.awaitEvents(video.id, 'fetchRequested', 2);
    const { attempt } = await admin().ShowVideo({ videoId: video.id });
    expect(attempt).to.equal(2);
  });

  it('a stage that has ended at its owner is requested again at once, and a document ahead is overtaken', async () => {
    const video = await act.create();
    await act.awaitEvents(video.id, 'fetchRequested');
    const stages = [{ stage: 'fetch', attempt: 1, revision: 0, state: 'completed' }];
    const owners = [report('ingest', video.id, { stages })];
    const index = { found: true, live: false, version: 70 };
    const version = await versionOf(video.id);
    const { findings } = await admin().Reconcile({ videos: [{ videoId: video.id, owners, index, version }], ...by });
    expect(findings.map(({ kind, repaired }) => [kind, repaired])).to.deep.equal([
      ['result_lost', true],
      ['index_ahead', true],
    ]);
    await act.awaitEvents(video.id, 'fetchRequested', 2);
    const changes = await act.awaitEvents(video.id, 'videoChanged');
    expect(changes.at(-1)?.payload).to.include({ version: 71 });
  });
});
