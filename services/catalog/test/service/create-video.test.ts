/** Accepting videos: the day's charge, repeats, and text returned as sent. Two processes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { events } from '@vds/proto/events';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { commonHarness } from './shared-fixture.ts';
import type { Harness } from './harness.ts';
import { actOn, failureOf, firstOf, submission, type Acting } from './partner.ts';

/** Everything that NATS has stored, as text. */
function storedBytes(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('');
}

describe('CreateVideo', () => {
  let harness: Harness;
  let act: Acting;
  before(async () => {
    harness = await commonHarness();
    act = actOn(harness);
  });

  it('exactly 50 of 200 concurrent requests to two processes are accepted on a budget of 50', async () => {
    const endpoints = harness.processes.map((one) => one.as('gateway'));
    const sent = Array.from({ length: 200 }, () => submission({ budgetId: 'fifty', dailyLimit: 50 }));
    const replies = await Promise.all(sent.map(async (video, n) => endpoints[n % 2]?.CreateVideo(video)));
    expect(replies.filter((reply) => reply?.accepted)).to.have.length(50);
    const remaining = replies.flatMap((reply) => (reply?.accepted ? [reply.daily?.remaining] : []));
    expect(remaining.toSorted((a, b) => Number(a) - Number(b))).to.deep.equal(Array.from({ length: 50 }, (_, n) => n));
    const { rows } = await harness.pool
      .query(`SELECT (SELECT count(*)::int FROM videos WHERE budget_id = 'fifty') AS videos,
      (SELECT used FROM daily_counts WHERE budget_id = 'fifty') AS used,
      (SELECT count(*)::int FROM stages s JOIN videos v ON v.id = s.video_id WHERE v.budget_id = 'fifty') AS stages`);
    expect(rows).to.deep.equal([{ videos: 50, used: 50, stages: 50 }]);
    const requested = () => sent.flatMap(({ id }) => act.eventsOf(id, 'fetchRequested'));
    const unpublished = async () =>
      (await harness.pool.query('SELECT 1 FROM chassis.outbox WHERE published_at IS NULL')).rowCount;
    await until(async () => requested().length >= 50 && (await unpublished()) === 0, {
      what: 'all requests are published',
    });
    expect(requested()).to.have.length(50);
    const rejected = replies.find((reply) => reply?.accepted === false);
    expect(rejected?.daily).to.include({ limit: 50, remaining: 0 });
    expect(rejected?.daily?.resetsInSeconds).to.be.within(1, 86_400);
  });

  /** Sends `twin` eight times over both processes; every one waits for the charge before the first gets it. */
  const eightAtOnce = async (twin: ReturnType<typeof submission>) => {
    const endpoints = harness.processes.map((one) => one.as('gateway'));
    const gatekeeper = await harness.pool.connect();
    await gatekeeper.query('BEGIN');
    await gatekeeper.query('SELECT 1 FROM daily_counts WHERE budget_id = $1 FOR UPDATE', [twin.budgetId]);
    const replies = Promise.all(Array.from({ length: 8 }, async (_, n) => endpoints[n % 2]?.CreateVideo(twin)));
    const waiting = async () =>
      (
        await harness.pool.query(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
        AND wait_event_type = 'Lock' AND query LIKE '%daily_counts%'`)
      ).rowCount;
    await until(async () => (await waiting()) === 8, { what: 'all eight wait for the charge' });
    await gatekeeper.query('COMMIT');
    gatekeeper.release();
    return replies;
  };

  for (const [budgetId, dailyLimit] of [
    ['twins', 10],
    ['last-twins', 2],
  ] as const)
    it(`concurrent requests with one id make one video and one charge, second of ${dailyLimit} in the budget`, async () => {
      await act.create({ budgetId, dailyLimit });
      const twin = submission({ budgetId, dailyLimit });
      const replies = await eightAtOnce(twin);
      expect(replies.map((reply) => [reply?.accepted, reply?.daily?.remaining])).to.deep.equal(
        Array.from({ length: 8 }, () => [true, dailyLimit - 2]),
      );
      await act.awaitEvents(twin.id, 'fetchRequested');
      const { rows } = await harness.pool.query('SELECT used FROM daily_counts WHERE budget_id = $1', [budgetId]);
      expect(rows).to.deep.equal([{ used: 2 }]);
    });

  it('a repeated request is accepted even if the budget has been spent since', async () => {
    const last = submission({ budgetId: 'one', dailyLimit: 1 });
    await act.gateway.CreateVideo(last);
    expect(await act.gateway.CreateVideo(last)).to.deep.include({ accepted: true });
    expect(await act.gateway.CreateVideo(submission({ budgetId: 'one', dailyLimit: 1 }))).to.deep.include({
      accepted: false,
    });
  });

  it('an id of another publisher’s video is rejected without a charge', async () => {
    const { id } = await act.create();
    const thief = submission({ id, publisherId: 'publisher-2', budgetId: 'thief' });
    expect(await failureOf(act.gateway.CreateVideo(thief))).to.have.property('code', 'ALREADY_EXISTS');
    const daily = await act.gateway.GetDailyCount({ budgetId: 'thief', dailyLimit: 7 });
    expect(daily).to.include({ limit: 7, remaining: 7 });
  });

  it('an accepted video requests its fetch at once, with everything that ingest needs', async () => {
    const { id } = await act.create();
    const [request] = await act.awaitEvents(id, 'fetchRequested');
    const sourceHost = 'media.example.com';
    expect(request?.payload).to.include({ videoId: id, attempt: 1, publisherId: 'publisher-1', sourceHost });
  });

  it('a signed address leaves catalog only by GetSourceAddress, for ingest, while the attempt is processing', async () => {
    const { id } = await act.create();
    const signed = submission().sourceUrl;
    await act.awaitEvents(id, 'fetchRequested');
    expect(storedBytes(harness.nats.store)).to.include(id).and.not.include('signature=');
    const { as } = firstOf(harness);
    const ask = (caller: string, attempt = 1) => as(caller).GetSourceAddress({ videoId: id, attempt });
    expect(await ask('ingest')).to.deep.equal({ sourceUrl: signed });
    expect(await failureOf(ask('ingest', 2))).to.have.property('code', 'NOT_FOUND');
    expect(await failureOf(ask('metadata'))).to.have.property('code', 'PERMISSION_DENIED');
    const ready = await act.ready();
    const late = as('ingest').GetSourceAddress({ videoId: ready.id, attempt: 1 });
    expect(await failureOf(late)).to.have.property('code', 'NOT_FOUND');
  });

  it('the request of a video does not tell its age by the clock of the replica that accepted it', async () => {
    const skew = import.meta.resolve('@vds/testkit/harness/clock-skew');
    const behind = "data:text/javascript,process.emit('SIGUSR2');process.emit('SIGUSR2')";
    const replica = await harness.start({ NODE_OPTIONS: `--import=${skew} --import=${behind}` });
    try {
      const video = submission();
      await replica.as('gateway').CreateVideo(video);
      const [request] = await act.awaitEvents(video.id, 'fetchRequested');
      const acceptedAtMs = Number(request?.payload['acceptedAtMs'] ?? Date.now());
      expect(Math.abs(acceptedAtMs - Date.now())).to.be.below(60_000);
    } finally {
      await replica.stop();
    }
  });

  it('texts are returned code point for code point', async () => {
    const odd = '  é é \u{1F3BE}\u200d \u202eabc\ufeff <b>&amp;</b> \\ " \' %s \r\n\t';
    const video = await act.create({ title: odd, summary: odd, tags: [odd, '', odd] });
    const empty = await act.create({ summary: '' });
    expect(await act.get(video)).to.deep.include({ title: odd, summary: odd, tags: [odd, '', odd] });
    expect(await act.get(empty)).to.include({ summary: '' });
    expect(await act.get(await act.create())).not.to.have.property('summary');
  });

  it('a new video has only its basic fields', async () => {
    const video = await act.create({ thumbnailUrl: 'https://media.example.com/t.jpg', sport: 'golf' });
    const seen = await act.get(video);
    expect(seen).to.deep.include({ id: video.id, state: 'VIDEO_STATE_PROCESSING', progress: 0, sport: 'golf' });
    expect(seen.createdAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(seen).not.to.have.any.keys('updatedAt', 'thumbnailUrl', 'durationSeconds', 'playbackId', 'failure');
  });

  it('another publisher’s video is not found', async () => {
    const { id } = await act.create();
    for (const call of ['GetVideo', 'ArchiveVideo', 'RepublishVideo', 'DeleteVideo'] as const) {
      const foreign = await failureOf(act.gateway[call]({ id, publisherId: 'publisher-2' }));
      const absent = await failureOf(act.gateway[call]({ id: submission().id, publisherId: 'publisher-2' }));
      expect([foreign.code, foreign.message]).to.deep.equal(['NOT_FOUND', absent.message]);
    }
    expect(await act.get({ id, publisherId: 'publisher-1' })).to.include({ state: 'VIDEO_STATE_PROCESSING' });
  });

  it('an id that the gateway cannot have minted is rejected', async () => {
    expect(await failureOf(act.gateway.CreateVideo(submission({ id: '../etc' })))).to.have.property(
      'code',
      'INVALID_ARGUMENT',
    );
  });

  it('each caller may call only its own methods', async () => {
    const { id, publisherId } = await act.create();
    const one = firstOf(harness);
    const forbidden = [
      one.as('playback').GetVideo({ id, publisherId }),
      one.as('playback').CreateVideo(submission()),
      one.as('gateway').ResolvePlayback({ playbackId: 'x' }),
      one.as('gateway').ListVideos({}),
      one.adminAs('gateway').ShowVideo({ videoId: id }),
    ];
    for (const call of forbidden) expect(await failureOf(call)).to.have.property('code', 'PERMISSION_DENIED');
    expect(await failureOf(one.as('unknown').GetVideo({ id, publisherId }))).to.have.property(
      'code',
      'UNAUTHENTICATED',
    );
  });

  it('events of an unknown video are ignored', async () => {
    const unknown = submission();
    await act.complete.fetch(unknown.id);
    await harness.publish(events.fetchStarted, { videoId: unknown.id, attempt: 1 });
    const video = await act.ready();
    expect(video.seen.playbackId).to.match(/^[0-9A-Za-z]{27}$/);
  });
});
