/** What is said again, when, and how often; lost streams; deadlines; removals until they are confirmed. */
import { events } from '@vds/proto/events';
import type { VideoPurged } from '@vds/proto/generated/vds/common/v1/VideoPurged.ts';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { impatientHouse } from './shared-fixture.ts';
import { startHarness, type House } from './harness.ts';
import { actOn, firstOf, type Acting } from './partner.ts';
import { eventOf, keepers, namedStages, runners } from './stages.ts';

describe('what has no answer', () => {
  let house: House;
  let act: Acting;
  before(async () => {
    house = await impatientHouse();
    act = actOn(house);
  });

  it('is said again with an id of its own until the last fact is heard, by one of two processes', async () => {
    const video = await act.create();
    const said = await act.hears(video.id, 'fetchRequested', 4);
    const ids = said.map(({ id }) => id);
    expect(ids.slice(0, 4)).to.deep.equal(
      ['', '-again-1', '-again-2', '-again-3'].map((end) => `${video.id}-1-fetch${end}`),
    );
    expect(said[3]?.payload).to.deep.equal({ ...said[0]?.payload, acceptedAtMs: said[3]?.payload['acceptedAtMs'] });
    await house.say(events.fetchStarted, { videoId: video.id, attempt: 1 });
    await act.hears(video.id, 'fetchRequested', act.heardOf(video.id, 'fetchRequested').length + 1);
    await act.complete.fetch(video.id);
    await act.hears(video.id, 'inspectRequested', 2);
    const { rows } = await house.pool.query(
      `SELECT stage, remind_at IS NULL AS quiet FROM stages WHERE video_id = $1 AND stage = ANY($2) ORDER BY stage`,
      [video.id, namedStages],
    );
    expect(rows).to.deep.equal([
      { stage: 'fetch', quiet: true },
      { stage: 'inspect', quiet: false },
    ]);
    await act.gateway.DeleteVideo(video);
  });

  it('is never said again once a delete is queued', async () => {
    const video = await act.create();
    await house.say(events.fetchStarted, { videoId: video.id, attempt: 1 });
    await act.stageIs(video.id, 'fetch', 'started');
    await act.gateway.DeleteVideo(video);
    const { rows } = await house.pool.query('SELECT 1 FROM stages WHERE video_id = $1 AND remind_at IS NOT NULL', [
      video.id,
    ]);
    expect(rows).to.deep.equal([]);
  });

  it('includes removals, until each owner has confirmed its own', async () => {
    const video = await act.ready();
    await act.gateway.DeleteVideo(video);
    const ofVideo = () =>
      act.heardOf(video.id, 'purgeRequested').filter(({ payload }) => payload['scope'] === 'PURGE_SCOPE_VIDEO');
    const asked = (owner: string) => ofVideo().filter(({ payload }) => (payload['owners'] as string[]).includes(owner));
    await until(() => asked('ingest').length >= 3 && asked('transcode').length >= 3, { what: 'both are asked again' });
    await house.say(events.ingestVideoPurged, { videoId: video.id, scope: 'PURGE_SCOPE_VIDEO', keepAttempt: 0 });
    const waiting = keepers.filter((owner) => owner !== 'ingest').map((owner) => `${owner} VIDEO 0`);
    const unconfirmed = async () => (await act.ledger(video.id)).filter((row) => !row.endsWith('+'));
    await act.eventually(async () => expect(await unconfirmed()).to.have.members(waiting));
    const before = asked('ingest').length;
    await until(() => asked('transcode').length >= before + 2, { what: 'transcode is asked on' });
    expect(asked('ingest').length).to.be.at.most(before + 1); // one may have been on its way
    await house.say(events.transcodeVideoPurged, { videoId: video.id, scope: 'PURGE_SCOPE_VIDEO', keepAttempt: 0 });
    const others = waiting.filter((row) => row !== 'transcode VIDEO 0');
    await act.eventually(async () => expect(await unconfirmed()).to.have.members(others));
    const gone = { videoId: video.id, scope: 'PURGE_SCOPE_VIDEO', keepAttempt: 0 } as const;
    for (const row of others) await house.say(eventOf<VideoPurged>(`${row.split(' ')[0]}.video.purged.v1`), gone);
    await act.eventually(async () => expect(await unconfirmed()).to.deep.equal([]));
  });

  it('includes the source, once its time after ready has come', async () => {
    const video = await act.ready();
    const losers = runners.map((owner) => `${owner} OTHER_ATTEMPTS 1`);
    expect(await act.ledger(video.id)).to.have.members([...losers, 'ingest SOURCE 2']);
    const scopes = () => act.heardOf(video.id, 'purgeRequested').map(({ payload }) => payload['scope']);
    await until(() => scopes().includes('PURGE_SCOPE_SOURCE'), { what: 'the source is to go' });
    await house.say(events.ingestVideoPurged, { videoId: video.id, scope: 'PURGE_SCOPE_SOURCE', keepAttempt: 2 });
    await act.eventually(async () => expect(await act.ledger(video.id)).to.include('ingest SOURCE 2+'));
  });

  it('is not confirmed by an answer to an earlier asking, which kept another attempt', async () => {
    const video = await act.ready();
    await house.say(events.transcodeVideoPurged, {
      videoId: video.id,
      scope: 'PURGE_SCOPE_OTHER_ATTEMPTS',
      keepAttempt: 7,
    });
    await house.say(events.transcodeVideoPurged, { videoId: video.id, scope: 'PURGE_SCOPE_SOURCE', keepAttempt: 0 });
    await house.say(events.ingestVideoPurged, { videoId: video.id, scope: 'PURGE_SCOPE_SOURCE', keepAttempt: 1 });
    await house.say(events.ingestVideoPurged, {
      videoId: video.id,
      scope: 'PURGE_SCOPE_OTHER_ATTEMPTS',
      keepAttempt: 1,
    });
    await act.eventually(async () => expect(await act.ledger(video.id)).to.include('ingest OTHER_ATTEMPTS 1+'));
    expect(await act.ledger(video.id)).to.include('transcode OTHER_ATTEMPTS 1');
    expect(await act.ledger(video.id)).to.include('ingest SOURCE 2');
  });

  it('is counted, and the oldest is shown, as metrics', async () => {
    const video = await act.ready();
    await act.gateway.DeleteVideo(video);
    await act.hears(video.id, 'purgeRequested', 4);
    const all = (await Promise.all(house.processes.map((one) => one.metrics()))).join('\n');
    expect(all).to.match(/vds_catalog_reminders_total\{.*kind="stage".*\} [1-9]/);
    expect(all).to.match(/vds_catalog_oldest_purge_seconds\{.*\} [1-9.]/);
    expect(all).to.match(/vds_catalog_time_to_ready_seconds_count\{.*\} [1-9]/);
    expect(all).to.match(/vds_catalog_time_to_ready_ratio_count\{.*\} [1-9]/);
    expect(all).to.match(/vds_catalog_overdue_videos\{.*\} 0/);
    expect(all).to.match(/vds_catalog_oldest_request_seconds\{stage="encode".*\} [0-9]/);
    expect(all).to.match(/vds_catalog_failures_total\{code="internal_error".*\} 0/);
    expect(all).to.match(/vds_catalog_transitions_total\{.*to="ready".*\} [1-9]/);
  });
});

describe('messages that cannot be carried', () => {
  let house: House;
  let act: Acting;
  before(async () => {
    // REMIND_EVERY is a minute: what is heard again here is not a mere repeat.
    house = await startHarness({ REMIND_RATE: '2000', READY_WITHIN: '1ms' });
    act = actOn(house);
  });
  after(() => house.close());

  it('keep no partner from submitting, reading and deleting while the bus is away, and are not lost', async () => {
    const live = await act.ready();
    await house.nats.stop();
    const video = await act.create();
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_PROCESSING' });
    expect(await act.gateway.DeleteVideo(live)).to.include({ status: 'deleted' });
    expect(await firstOf(house).readiness()).to.equal(200);
    const page = await firstOf(house).metrics();
    expect(page)
      .to.match(/vds_bus_connected\S* 0\n/)
      .and.match(/vds_ready\S* 1\n/);
    expect(page).to.match(/vds_catalog_overdue_videos\S* 1\n/);
    await house.nats.restart();
    await act.hears(video.id, 'fetchRequested');
    await act.hears(live.id, 'purgeRequested', 2);
    await act.runStages(video.id);
    await act.stateIs(video, 'READY');
    expect(await firstOf(house).metrics()).to.match(/vds_catalog_overdue_videos\S* 0\n/);
  });

  it('are said again at once, as far as they are unanswered, when the whole store was wiped', async () => {
    const fetching = await act.create();
    const encoding = await act.create();
    await act.hears(encoding.id, 'fetchRequested');
    await act.complete.fetch(encoding.id);
    await act.hears(encoding.id, 'inspectRequested');
    await act.complete.inspect(encoding.id);
    await act.hears(encoding.id, 'encodeRequested');
    await house.say(events.audioCompleted, { videoId: encoding.id, attempt: 1, hasAudio: false, playlistKey: '' });
    await act.hears(encoding.id, 'captionsRequested');
    const purging = await act.ready();
    await act.gateway.DeleteVideo(purging);
    await act.hears(purging.id, 'purgeRequested', 2);
    house.heard.length = 0;
    await house.nats.wipe();
    await act.hears(fetching.id, 'fetchRequested');
    await act.hears(encoding.id, 'encodeRequested');
    await act.hears(encoding.id, 'captionsRequested');
    await act.hears(purging.id, 'purgeRequested', 2);
    expect(act.heardOf(encoding.id, 'inspectRequested')).to.deep.equal([]);
    await act.complete.captions(encoding.id);
    await act.complete.encode(encoding.id);
    await act.hears(encoding.id, 'metadataRequested');
    await act.complete.metadata(encoding.id);
    await act.stateIs(encoding, 'READY');
    await act.runStages(fetching.id);
    await act.stateIs(fetching, 'READY');
  });
});
