/** Republishing: what, when and how often; lost streams; purges until confirmed. */
import { events } from '@vds/proto/events';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { fastRepublishHarness } from './shared-fixture.ts';
import { startHarness, type Harness } from './harness.ts';
import { actOn, firstOf, type Acting } from './partner.ts';
import { purgeOwners, namedStages, stageOwners } from '../domain/stages.ts';

describe('republishing of unanswered requests', () => {
  let harness: Harness;
  let act: Acting;
  before(async () => {
    harness = await fastRepublishHarness();
    act = actOn(harness);
  });

  it('an unanswered request is republished with a new message id until its terminal event, by one of two processes', async () => {
    const video = await act.create();
    const requests = await act.awaitEvents(video.id, 'fetchRequested', 4);
    const ids = requests.map(({ id }) => id);
    expect(ids.slice(0, 4)).to.deep.equal(
      ['', '-again-1', '-again-2', '-again-3'].map((end) => `${video.id}-1-fetch${end}`),
    );
    const { acceptedAtMs, _acceptedAtMs: _is, ...repeated } = requests[3]?.payload ?? {};
    expect(repeated).to.deep.equal(requests[0]?.payload);
    expect(Math.abs(Number(acceptedAtMs) - Date.now())).to.be.below(60_000);
    await harness.publish(events.fetchStarted, { videoId: video.id, attempt: 1 });
    await act.awaitEvents(video.id, 'fetchRequested', act.eventsOf(video.id, 'fetchRequested').length + 1);
    await act.complete.fetch(video.id);
    await act.awaitEvents(video.id, 'inspectRequested', 2);
    const { rows } = await harness.pool.query(
      `SELECT stage, next_republish_at IS NULL AS ended FROM stages WHERE video_id = $1 AND stage = ANY($2) ORDER BY stage`,
      [video.id, namedStages],
    );
    expect(rows).to.deep.equal([
      { stage: 'encode', ended: false },
      { stage: 'fetch', ended: true },
      { stage: 'inspect', ended: false },
    ]);
    await act.gateway.DeleteVideo(video);
  });

  it('requests are not republished once a delete is queued', async () => {
    const video = await act.create();
    await harness.publish(events.fetchStarted, { videoId: video.id, attempt: 1 });
    await act.stageIs(video.id, 'fetch', 'started');
    await act.gateway.DeleteVideo(video);
    const { rows } = await harness.pool.query(
      'SELECT 1 FROM stages WHERE video_id = $1 AND next_republish_at IS NOT NULL',
      [video.id],
    );
    expect(rows).to.deep.equal([]);
  });

  it('purges are republished until each owner has confirmed', async () => {
    const video = await act.ready();
    await act.gateway.DeleteVideo(video);
    const ofVideo = () =>
      act.eventsOf(video.id, 'purgeRequested').filter(({ payload }) => payload['scope'] === 'PURGE_SCOPE_VIDEO');
    const requestsTo = (owner: string) =>
      ofVideo().filter(({ payload }) => (payload['owners'] as string[]).includes(owner));
    await until(() => requestsTo('ingest').length >= 3 && requestsTo('transcode').length >= 3, {
      what: 'both are requested again',
    });
    await act.confirmPurge(video.id, 'ingest');
    const waiting = purgeOwners.filter((owner) => owner !== 'ingest').map((owner) => `${owner} VIDEO 0`);
    const unconfirmed = async () => (await act.ledger(video.id)).filter((row) => !row.endsWith('+'));
    await act.eventually(async () => expect(await unconfirmed()).to.have.members(waiting));
    const before = requestsTo('ingest').length;
    await until(() => requestsTo('transcode').length >= before + 2, { what: 'transcode is requested again' });
    expect(requestsTo('ingest').length).to.be.at.most(before + 1); // one may have been on its way
    await act.confirmPurge(video.id, 'transcode');
    const others = waiting.filter((row) => row !== 'transcode VIDEO 0');
    await act.eventually(async () => expect(await unconfirmed()).to.have.members(others));
    for (const row of others) await act.confirmPurge(video.id, row.split(' ')[0] ?? '');
    await act.eventually(async () => expect(await unconfirmed()).to.deep.equal([]));
  });

  it('the purge of the source is published when its time after ready has passed', async () => {
    const video = await act.ready();
    const losers = stageOwners.map((owner) => `${owner} OTHER_ATTEMPTS 1`);
    expect(await act.ledger(video.id)).to.have.members([...losers, 'ingest SOURCE 2']);
    const scopes = () => act.eventsOf(video.id, 'purgeRequested').map(({ payload }) => payload['scope']);
    await until(() => scopes().includes('PURGE_SCOPE_SOURCE'), { what: 'the source is to go' });
    await act.confirmPurge(video.id, 'ingest', 'SOURCE');
    await act.eventually(async () => expect(await act.ledger(video.id)).to.include('ingest SOURCE 2+'));
  });

  it('every request of one purge has its id, and the video’s documents in use', async () => {
    const video = await act.ready();
    const ofTranscode = () =>
      act
        .eventsOf(video.id, 'purgeRequested')
        .filter(({ payload }) => (payload['owners'] as string[]).includes('transcode'));
    await until(() => ofTranscode().length >= 3, { what: 'it is requested again' });
    const { rows } = await harness.pool.query<{ key: string }>('SELECT ladder_key AS key FROM videos WHERE id = $1', [
      video.id,
    ]);
    const requestId = await act.purgeRequestId(video.id, 'transcode', 'OTHER_ATTEMPTS');
    for (const { payload } of ofTranscode()) {
      expect(payload).to.include({ requestId, keepAttempt: 1 });
      expect(payload['inUse']).to.include({ ladderKey: rows[0]?.key, sourceKey: '' });
      expect((payload['inUse'] as { captionKeys: string[] }).captionKeys).to.not.be.empty;
    }
  });

  it('a late confirmation of an earlier request for the same purge confirms nothing', async () => {
    const video = await act.create();
    await act.awaitEvents(video.id, 'fetchRequested');
    await harness.publish(events.fetchFailed, { videoId: video.id, attempt: 1, code: 'source_not_found' });
    await act.stateIs(video, 'FAILED');
    const admin = firstOf(harness).adminAs('vdsctl');
    await admin.RetryVideo({ videoId: video.id, actor: 'sre@example.com', reason: 'again' });
    const asked = await act.purgeRequestId(video.id, 'ingest', 'OTHER_ATTEMPTS');
    await act.runStages(video.id, 2);
    await act.stateIs(video, 'READY');
    // Both requests keep attempt 2.
    expect(await act.ledger(video.id)).to.include('ingest OTHER_ATTEMPTS 2');
    await act.confirmPurge(video.id, 'ingest', 'OTHER_ATTEMPTS', asked);
    await act.confirmPurge(video.id, 'metadata', 'OTHER_ATTEMPTS');
    await act.eventually(async () => expect(await act.ledger(video.id)).to.include('metadata OTHER_ATTEMPTS 2+'));
    expect(await act.ledger(video.id)).to.include('ingest OTHER_ATTEMPTS 2');
    await act.confirmPurge(video.id, 'ingest', 'OTHER_ATTEMPTS');
    await act.eventually(async () => expect(await act.ledger(video.id)).to.include('ingest OTHER_ATTEMPTS 2+'));
  });

  it('an owner that works on purged data is asked to purge it again, once', async () => {
    const video = await act.ready();
    await act.gateway.DeleteVideo(video);
    const isConfirmed = async (): Promise<boolean> => (await act.ledger(video.id)).includes('transcode VIDEO 0+');
    const confirmed = async (): Promise<string> => {
      const id = await act.purgeRequestId(video.id, 'transcode');
      await act.confirmPurge(video.id, 'transcode');
      await until(isConfirmed, { what: 'the confirmation' });
      return id;
    };
    const captionsStarted = async (): Promise<number> => {
      const all = (await Promise.all(harness.processes.map((one) => one.metrics()))).join('\n');
      const counted = all.matchAll(
        /^vds_bus_consumed_total\{[^}]*subject="captions\.captions\.started\.v1"[^}]*\} (\d+)/gm,
      );
      return [...counted].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const first = await confirmed();
    const requests = () =>
      act.eventsOf(video.id, 'purgeRequested').filter(({ payload }) => payload['requestId'] !== first);
    // As a database does that was restored to a moment before the deletion.
    await harness.publish(events.encodeStarted, { videoId: video.id, attempt: 1 });
    await until(async () => !(await isConfirmed()), { what: 'the purge is open again' });
    await until(() => requests().some(({ payload }) => String(payload['owners']) === 'transcode'), {
      what: 'the new request',
    });
    const again = await act.purgeRequestId(video.id, 'transcode');
    expect(again).to.not.equal(first);
    await harness.publish(events.encodeProgressed, { videoId: video.id, attempt: 1, percent: 50 });
    const before = await captionsStarted();
    await harness.publish(events.captionsStarted, { videoId: video.id, attempt: 1 });
    // Handled after the confirmation, it would open that purge again.
    await until(async () => (await captionsStarted()) > before, { what: 'the start of captions is handled' });
    await act.confirmPurge(video.id, 'captions');
    await act.eventually(async () => expect(await act.ledger(video.id)).to.include('captions VIDEO 0+'));
    expect(await confirmed()).to.equal(again);
  });

  it('metrics count republished messages and have the age of the oldest', async () => {
    const video = await act.ready();
    await act.gateway.DeleteVideo(video);
    await act.awaitEvents(video.id, 'purgeRequested', 4);
    const all = (await Promise.all(harness.processes.map((one) => one.metrics()))).join('\n');
    expect(all).to.match(/vds_catalog_republished_total\{.*kind="stage".*\} [1-9]/);
    expect(all).to.match(/vds_catalog_oldest_purge_seconds\{.*\} [1-9.]/);
    expect(all).to.match(/vds_catalog_time_to_ready_seconds_count\{.*\} [1-9]/);
    expect(all).to.match(/vds_catalog_time_to_ready_ratio_count\{.*\} [1-9]/);
    expect(all).to.match(/vds_catalog_overdue_videos\{.*\} 0/);
    expect(all).to.match(/vds_catalog_oldest_request_seconds\{stage="encode".*\} [0-9]/);
    expect(all).to.match(/vds_catalog_failures_total\{code="internal_error".*\} 0/);
    expect(all).to.match(/vds_catalog_transitions_total\{.*to="ready".*\} [1-9]/);
  });
});

describe('an outage of the bus', () => {
  let harness: Harness;
  let act: Acting;
  before(async () => {
    harness = await startHarness({
      TIME_SCALE: 'republishFirst=1s,republishMax=2s,readyWithin=1ms',
    });
    act = actOn(harness);
  });
  after(() => harness.close());

  it('partners can submit, read and delete while the bus is unavailable, and no message is lost', async () => {
    const live = await act.ready();
    await harness.nats.stop();
    const video = await act.create();
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_PROCESSING' });
    expect(await act.gateway.DeleteVideo(live)).to.include({ status: 'deleted' });
    expect(await firstOf(harness).readiness()).to.equal(200);
    const page = await firstOf(harness).metrics();
    expect(page)
      .to.match(/vds_bus_connected\S* 0\n/)
      .and.match(/vds_ready\S* 1\n/);
    expect(page).to.match(/vds_catalog_overdue_videos\S* 1\n/);
    await harness.nats.restart();
    await act.awaitEvents(video.id, 'fetchRequested');
    await act.awaitEvents(live.id, 'purgeRequested', 2);
    await act.runStages(video.id);
    await act.stateIs(video, 'READY');
    expect(await firstOf(harness).metrics()).to.match(/vds_catalog_overdue_videos\S* 0\n/);
  });

  it('messages published after a copy of the JetStream store are republished once the copy is restored', async () => {
    const known = await act.create();
    await act.awaitEvents(known.id, 'fetchRequested');
    const rollBack = await harness.nats.copyStore();
    const video = await act.create();
    await act.awaitEvents(video.id, 'fetchRequested');
    harness.published.length = 0;
    await rollBack();
    await act.awaitEvents(video.id, 'fetchRequested');
    await act.awaitEvents(known.id, 'fetchRequested');
    await act.runStages(video.id);
    await act.stateIs(video, 'READY');
  });

  it('a terminal event that only its owner’s stream has lost is asked for again', async () => {
    const video = await act.create();
    await act.awaitEvents(video.id, 'fetchRequested');
    await act.complete.fetch(video.id);
    await act.awaitEvents(video.id, 'inspectRequested');
    await firstOf(harness).kill9();
    const rollBack = await harness.nats.copyStore('TRANSCODE');
    await act.complete.inspect(video.id);
    harness.published.length = 0;
    await rollBack();
    harness.processes[0] = await harness.start();
    act = actOn(harness);
    await act.awaitEvents(video.id, 'inspectRequested');
    await act.complete.inspect(video.id);
    await act.awaitEvents(video.id, 'encodeRequested');
  }).timeout(60_000);

  it('all unanswered messages are republished when the JetStream store was wiped', async () => {
    const fetching = await act.create();
    const encoding = await act.create();
    await act.awaitEvents(encoding.id, 'fetchRequested');
    await act.complete.fetch(encoding.id);
    await act.awaitEvents(encoding.id, 'inspectRequested');
    await act.complete.inspect(encoding.id);
    await act.awaitEvents(encoding.id, 'encodeRequested');
    await harness.publish(events.audioCompleted, {
      videoId: encoding.id,
      attempt: 1,
      hasAudio: false,
      audioPlaylistKey: '',
    });
    await act.awaitEvents(encoding.id, 'captionsRequested');
    const purging = await act.ready();
    await act.gateway.DeleteVideo(purging);
    await act.awaitEvents(purging.id, 'purgeRequested', 2);
    harness.published.length = 0;
    await harness.nats.wipe();
    await act.awaitEvents(fetching.id, 'fetchRequested');
    await act.awaitEvents(encoding.id, 'encodeRequested');
    await act.awaitEvents(encoding.id, 'captionsRequested');
    await act.awaitEvents(purging.id, 'purgeRequested', 2);
    expect(act.eventsOf(encoding.id, 'inspectRequested')).to.deep.equal([]);
    await act.complete.captions(encoding.id);
    await act.complete.encode(encoding.id);
    await act.awaitEvents(encoding.id, 'metadataRequested');
    await act.complete.metadata(encoding.id);
    await act.stateIs(encoding, 'READY');
    await act.runStages(fetching.id);
    await act.stateIs(fetching, 'READY');
  });
});
