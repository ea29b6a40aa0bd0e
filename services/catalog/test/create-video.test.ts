/** Accepting videos: the day's charge, repeats, and text that comes back as it was sent. Two processes. */
import { events } from '@vds/proto/events';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { commonHouse } from './shared-fixture.ts';
import type { House } from './harness.ts';
import { actOn, failureOf, firstOf, submission, type Acting } from './partner.ts';

describe('accepting a video', () => {
  let house: House;
  let act: Acting;
  before(async () => {
    house = await commonHouse();
    act = actOn(house);
  });

  it('accepts exactly 50 of 200 at once over two processes on a budget of 50', async () => {
    const endpoints = house.processes.map((one) => one.as('gateway'));
    const sent = Array.from({ length: 200 }, () => submission({ budgetId: 'fifty', dailyLimit: 50 }));
    const replies = await Promise.all(sent.map(async (video, n) => endpoints[n % 2]?.CreateVideo(video)));
    expect(replies.filter((reply) => reply?.accepted)).to.have.length(50);
    const remaining = replies.flatMap((reply) => (reply?.accepted ? [reply.daily?.remaining] : []));
    expect(remaining.toSorted((a, b) => Number(a) - Number(b))).to.deep.equal(Array.from({ length: 50 }, (_, n) => n));
    const { rows } = await house.pool
      .query(`SELECT (SELECT count(*)::int FROM videos WHERE budget_id = 'fifty') AS videos,
      (SELECT used FROM daily_counts WHERE budget_id = 'fifty') AS used,
      (SELECT count(*)::int FROM stages s JOIN videos v ON v.id = s.video_id WHERE v.budget_id = 'fifty') AS stages`);
    expect(rows).to.deep.equal([{ videos: 50, used: 50, stages: 50 }]);
    const asked = () => sent.flatMap(({ id }) => act.heardOf(id, 'fetchRequested'));
    const unsaid = async () => (await house.pool.query('SELECT 1 FROM chassis.outbox')).rowCount;
    await until(async () => asked().length >= 50 && (await unsaid()) === 0, { what: 'all requests are said' });
    expect(asked()).to.have.length(50);
    const refused = replies.find((reply) => reply?.accepted === false);
    expect(refused?.daily).to.include({ limit: 50, remaining: 0 });
    expect(refused?.daily?.resetsInSeconds).to.be.within(1, 86_400);
  });

  /** Sends `twin` eight times over both processes; every one waits for the charge before the first gets it. */
  const eightAtOnce = async (twin: ReturnType<typeof submission>) => {
    const endpoints = house.processes.map((one) => one.as('gateway'));
    const gatekeeper = await house.pool.connect();
    await gatekeeper.query('BEGIN');
    await gatekeeper.query('SELECT 1 FROM daily_counts WHERE budget_id = $1 FOR UPDATE', [twin.budgetId]);
    const replies = Promise.all(Array.from({ length: 8 }, async (_, n) => endpoints[n % 2]?.CreateVideo(twin)));
    const waiting = async () =>
      (
        await house.pool.query(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
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
    it(`makes one video and one charge of the same id sent many times at the very same moment, place 2 of ${dailyLimit}`, async () => {
      await act.create({ budgetId, dailyLimit });
      const twin = submission({ budgetId, dailyLimit });
      const replies = await eightAtOnce(twin);
      expect(replies.map((reply) => [reply?.accepted, reply?.daily?.remaining])).to.deep.equal(
        Array.from({ length: 8 }, () => [true, dailyLimit - 2]),
      );
      await act.hears(twin.id, 'fetchRequested');
      const { rows } = await house.pool.query('SELECT used FROM daily_counts WHERE budget_id = $1', [budgetId]);
      expect(rows).to.deep.equal([{ used: 2 }]);
    });

  it('accepts a repeat even when the budget is spent by now', async () => {
    const last = submission({ budgetId: 'one', dailyLimit: 1 });
    await act.gateway.CreateVideo(last);
    expect(await act.gateway.CreateVideo(last)).to.deep.include({ accepted: true });
    expect(await act.gateway.CreateVideo(submission({ budgetId: 'one', dailyLimit: 1 }))).to.deep.include({
      accepted: false,
    });
  });

  it('refuses another publisher’s id and charges nothing for it', async () => {
    const { id } = await act.create();
    const thief = submission({ id, publisherId: 'publisher-2', budgetId: 'thief' });
    expect(await failureOf(act.gateway.CreateVideo(thief))).to.have.property('code', 'ALREADY_EXISTS');
    const daily = await act.gateway.GetDailyCount({ budgetId: 'thief', dailyLimit: 7 });
    expect(daily).to.include({ limit: 7, remaining: 7 });
  });

  it('asks ingest for the source at once, with all that it needs', async () => {
    const { id } = await act.create();
    const [request] = await act.hears(id, 'fetchRequested');
    expect(request?.payload).to.include({ videoId: id, attempt: 1, publisherId: 'publisher-1' });
    expect(request?.payload['sourceUrl']).to.equal(submission().sourceUrl);
    expect(Math.abs(Number(request?.payload['acceptedAtMs']) - Date.now())).to.be.below(60_000);
  });

  it('gives text back code point for code point', async () => {
    const odd = '  é é \u{1F3BE}\u200d \u202eabc\ufeff <b>&amp;</b> \\ " \' %s \r\n\t';
    const video = await act.create({ title: odd, summary: odd, tags: [odd, '', odd] });
    const empty = await act.create({ summary: '' });
    expect(await act.get(video)).to.deep.include({ title: odd, summary: odd, tags: [odd, '', odd] });
    expect(await act.get(empty)).to.include({ summary: '' });
    expect(await act.get(await act.create())).not.to.have.property('summary');
  });

  it('answers a new video with its basic fields alone', async () => {
    const video = await act.create({ thumbnailUrl: 'https://media.example.com/t.jpg', sport: 'golf' });
    const seen = await act.get(video);
    expect(seen).to.deep.include({ id: video.id, state: 'VIDEO_STATE_PROCESSING', progress: 0, sport: 'golf' });
    expect(seen.createdAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(seen).not.to.have.any.keys('updatedAt', 'thumbnailUrl', 'durationSeconds', 'playbackId', 'failure');
  });

  it('takes another publisher’s video for one that does not exist', async () => {
    const { id } = await act.create();
    for (const call of ['GetVideo', 'ArchiveVideo', 'RepublishVideo', 'DeleteVideo'] as const) {
      const foreign = await failureOf(act.gateway[call]({ id, publisherId: 'publisher-2' }));
      const absent = await failureOf(act.gateway[call]({ id: submission().id, publisherId: 'publisher-2' }));
      expect([foreign.code, foreign.message]).to.deep.equal(['NOT_FOUND', absent.message]);
    }
    expect(await act.get({ id, publisherId: 'publisher-1' })).to.include({ state: 'VIDEO_STATE_PROCESSING' });
  });

  it('refuses an id that the gateway cannot have minted', async () => {
    expect(await failureOf(act.gateway.CreateVideo(submission({ id: '../etc' })))).to.have.property(
      'code',
      'INVALID_ARGUMENT',
    );
  });

  it('lets each caller call its own methods alone', async () => {
    const { id, publisherId } = await act.create();
    const one = firstOf(house);
    const refused = [
      one.as('playback').GetVideo({ id, publisherId }),
      one.as('playback').CreateVideo(submission()),
      one.as('gateway').ResolvePlayback({ playbackId: 'x' }),
      one.as('gateway').ListVideos({}),
      one.staffAs('gateway').ShowVideo({ videoId: id }),
    ];
    for (const call of refused) expect(await failureOf(call)).to.have.property('code', 'PERMISSION_DENIED');
    expect(await failureOf(one.as('nobody').GetVideo({ id, publisherId }))).to.have.property('code', 'UNAUTHENTICATED');
  });

  it('hears of a video that it does not know without harm', async () => {
    const stranger = submission();
    await act.complete.fetch(stranger.id);
    await house.say(events.fetchStarted, { videoId: stranger.id, attempt: 1 });
    const video = await act.ready();
    expect(video.seen.playbackId).to.match(/^[0-9A-Za-z]{27}$/);
  });
});
