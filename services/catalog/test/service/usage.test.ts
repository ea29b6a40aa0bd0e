/** Publishers' usage is counted once, and the operator's budgets hold. Two processes. */
import { events } from '@vds/proto/events';
import { expect } from 'chai';
import { commonHarness } from './shared-fixture.ts';
import type { Harness } from './harness.ts';
import { actOn, failureOf, firstOf, submission, type Acting } from './partner.ts';

/** As the stages of these tests report them. */
const [SOURCE, DURATION, STORED] = [1_234, 24_600, 5_678];

describe('the usage of a publisher', () => {
  let harness: Harness;
  let act: Acting;
  before(async () => {
    harness = await commonHarness();
    act = actOn(harness);
  });
  const admin = () => firstOf(harness).adminAs('vdsctl');
  const by = { actor: 'sre@example.com', reason: 'agreement 7' };
  const used = async (publisherId: string) => (await admin().GetBudgets({ publisherId })).used;
  const inspected = async (publisherId: string) => {
    const video = await act.create({ publisherId });
    await act.awaitEvents(video.id, 'fetchRequested');
    await act.complete.fetch(video.id);
    await act.awaitEvents(video.id, 'inspectRequested');
    await act.complete.inspect(video.id);
    await act.stageIs(video.id, 'inspect', 'completed');
    return video;
  };

  it('twenty videos at once count once each, however often their events are repeated', async () => {
    const publisherId = 'usage-of-many';
    const videos = await Promise.all(Array.from({ length: 20 }, () => inspected(publisherId)));
    await Promise.all(videos.flatMap(({ id }) => [act.complete.fetch(id), act.complete.inspect(id)]));
    await Promise.all(videos.slice(0, 3).map(({ id }) => act.gateway.DeleteVideo({ id, publisherId })));
    await act.eventually(async () => {
      const { rows } = await harness.pool.query('SELECT 1 FROM videos WHERE publisher_id = $1 AND state = $2', [
        publisherId,
        'deleted',
      ]);
      expect(rows).to.have.length(3);
    });
    expect(await used(publisherId)).to.deep.equal({
      fetchedBytes: 20 * SOURCE,
      mediaMs: 20 * DURATION,
      storedBytes: 0,
    });
  });

  it('a month has what was used in it, and the storage of its end, also if nothing changed any more', async () => {
    const publisherId = 'usage-of-months';
    const month = async (name: string) => {
      const { publishers } = await admin().ListUsage({ month: name, afterPublisherId: 'usage-of-month' });
      return publishers.find((one) => one.publisherId === publisherId);
    };
    const now = new Date().toISOString().slice(0, 7);
    const videos = await Promise.all([1, 2, 3].map(() => act.ready({ publisherId })));
    const used = { publisherId, mediaMs: 3 * DURATION, fetchedBytes: 3 * SOURCE, storedBytes: 3 * STORED };
    expect(await month(now)).to.deep.equal(used);
    const move = "UPDATE publisher_months SET month = month - interval '3 months' WHERE publisher_id = $1";
    await harness.pool.query(move, [publisherId]);
    const { rows } = await harness.pool.query<{ month: string }>(
      "SELECT to_char(month, 'YYYY-MM') AS month FROM publisher_months WHERE publisher_id = $1",
      [publisherId],
    );
    expect(await month(rows[0]?.month ?? '')).to.deep.equal(used);
    expect(await month(now)).to.deep.equal({ ...used, mediaMs: 0, fetchedBytes: 0 });
    for (const video of videos) await act.gateway.DeleteVideo(video);
    await act.eventually(async () =>
      expect(await month(now)).to.deep.equal({ ...used, mediaMs: 0, fetchedBytes: 0, storedBytes: 0 }),
    );
    expect(await month('1999-12')).to.equal(undefined);
    expect(await failureOf(admin().ListUsage({ month: '2026-13' }))).to.include({ code: 'INVALID_ARGUMENT' });
  });

  it('storage counts until its video is deleted, and every attempt counts', async () => {
    const publisherId = 'usage-of-one';
    const video = await act.ready({ publisherId });
    expect(await used(publisherId)).to.include({ storedBytes: STORED });
    await act.gateway.ArchiveVideo(video);
    expect(await used(publisherId)).to.include({ storedBytes: STORED });
    await act.gateway.DeleteVideo(video);
    expect(await used(publisherId)).to.deep.equal({ fetchedBytes: SOURCE, mediaMs: DURATION, storedBytes: 0 });
    const failing = await inspected(publisherId);
    await harness.publish(events.encodeFailed, {
      videoId: failing.id,
      attempt: 1,
      code: 'internal_error',
      details: {},
    });
    await act.stateIs(failing, 'FAILED');
    await admin().RetryVideo({ videoId: failing.id, ...by });
    await act.awaitEvents(failing.id, 'fetchRequested', 2);
    await act.complete.fetch(failing.id, 2);
    await act.stageIs(failing.id, 'fetch', 'completed');
    await act.eventually(async () => expect(await used(publisherId)).to.include({ fetchedBytes: 3 * SOURCE }));
    expect(await used(publisherId)).to.include({ mediaMs: 2 * DURATION, storedBytes: 0 });
  });

  for (const [budget, name] of [
    [{ mediaMinutes: 1 }, 'media_minutes'],
    [{ fetchedBytes: 3 * SOURCE }, 'fetched_bytes'],
  ] as const)
    it(`once the day’s ${name} are spent nothing is accepted until the next day, and accepted videos continue`, async () => {
      const publisherId = `spends-${name}`;
      await admin().SetBudgets({ publisherId, ...budget, ...by });
      const under = await inspected(publisherId);
      await inspected(publisherId);
      const last = submission({ publisherId });
      expect(await act.gateway.CreateVideo(last)).to.include({ accepted: true });
      await inspected(publisherId);
      const rejected = await act.gateway.CreateVideo(submission({ publisherId }));
      expect(rejected).to.include({ accepted: false, spentBudget: name });
      expect(rejected.daily).to.include({ remaining: 0 });
      expect(rejected.daily?.resetsInSeconds).to.be.within(1, 86_400);
      const count = { publisherId, budgetId: 'budget-1', dailyLimit: 500 };
      expect(await act.gateway.GetDailyCount(count)).to.include({ limit: 500, remaining: 0 });
      expect(await act.gateway.CreateVideo(last), 'repeated').to.include({ accepted: true });
      expect(await act.gateway.CreateVideo(submission({ publisherId: 'another' }))).to.include({ accepted: true });
      await act.awaitEvents(under.id, 'encodeRequested');
      await act.complete.encode(under.id);
      await act.stageIs(under.id, 'encode', 'completed');
      await harness.pool.query('UPDATE publisher_usage SET day = day - 1 WHERE publisher_id = $1', [publisherId]);
      expect(await used(publisherId)).to.include({ mediaMs: 0, fetchedBytes: 0 });
      expect(await act.gateway.CreateVideo(submission({ publisherId }))).to.include({ accepted: true });
      await inspected(publisherId);
      expect(await used(publisherId)).to.include({ mediaMs: DURATION, fetchedBytes: SOURCE });
    });

  it('a video beyond the budget of stored bytes fails before it is encoded, and one that is being encoded becomes ready', async () => {
    const publisherId = 'spends-storage';
    const encoding = await inspected(publisherId);
    await act.awaitEvents(encoding.id, 'encodeRequested');
    const first = await act.ready({ publisherId });
    await admin().SetBudgets({ publisherId, storedBytes: STORED, ...by });
    const beyond = await act.create({ publisherId });
    await act.awaitEvents(beyond.id, 'fetchRequested');
    await act.complete.fetch(beyond.id);
    const seen = await act.stateIs(beyond, 'FAILED');
    expect(seen.failure).to.include({ code: 'publisher_quota_exceeded', stage: 'encode', retryable: false });
    expect(seen.failure?.message).to.match(/^The storage that was agreed for your account is used up\./);
    expect(act.eventsOf(beyond.id, 'encodeRequested')).to.deep.equal([]);
    await harness.publish(events.audioCompleted, {
      videoId: encoding.id,
      attempt: 1,
      hasAudio: false,
      audioPlaylistKey: '',
    });
    await act.complete.encode(encoding.id);
    await act.awaitEvents(encoding.id, 'captionsRequested');
    await act.complete.captions(encoding.id);
    await act.awaitEvents(encoding.id, 'metadataRequested');
    await act.othersEnd(encoding.id);
    await act.complete.metadata(encoding.id);
    await act.stateIs(encoding, 'READY');
    expect(await used(publisherId)).to.include({ storedBytes: 2 * STORED });
    await act.gateway.DeleteVideo(encoding);
    await act.gateway.DeleteVideo(first);
    await act.ready({ publisherId });
    expect(await used(publisherId)).to.include({ storedBytes: STORED });
  });

  it('budgets are changed one by one, a dry run changes nothing, and each change is in the audit', async () => {
    const publisherId = 'has-budgets';
    const set = (changes: object) => admin().SetBudgets({ publisherId, ...changes, ...by });
    expect(await set({ storedBytes: 5, validateOnly: true })).to.include({ storedBytes: 5 });
    expect(await admin().GetBudgets({ publisherId })).to.include({ publisherId, description: 'no budgets' });
    await set({ mediaMinutes: 600 });
    const changed = await set({ mediaMinutes: 0, fetchedBytes: 9_000_000_000_000 });
    expect(changed).to.include({ fetchedBytes: 9_000_000_000_000 }).and.not.to.have.property('mediaMinutes');
    for (const wrong of [{}, { storedBytes: -1 }])
      expect(await failureOf(set(wrong))).to.have.property('code', 'INVALID_ARGUMENT');
    const { entries } = await admin().ListAudit({ publisherId });
    expect(entries.map(({ action, was, became, videoId }) => [action, was, became, videoId])).to.deep.equal([
      ['publisher budget', '600 minutes of video a day', '9000000000000 bytes fetched a day', undefined],
      ['publisher budget', 'no budgets', '600 minutes of video a day', undefined],
    ]);
    expect(entries[0]).to.include({ publisherId, ...by });
  });
});
