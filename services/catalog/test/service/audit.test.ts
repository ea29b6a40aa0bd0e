/** The operator's lists of the audit and of a publisher's videos; no row of the audit is ever lost. */
import { expect } from 'chai';
import { events } from '@vds/proto/events';
import { until } from '@vds/testkit/until';
import { commonHarness } from './shared-fixture.ts';
import { newId, type Harness } from './harness.ts';
import { actOn, failureOf, firstOf, submission, type Acting } from './partner.ts';

describe('the audit of catalog', () => {
  let harness: Harness;
  let act: Acting;
  before(async () => {
    harness = await commonHarness();
    act = actOn(harness);
  });
  const admin = () => firstOf(harness).adminAs('vdsctl');
  const rows = async (videoId: string): Promise<unknown[]> =>
    (await harness.pool.query('select * from audit where video_id = $1 order by id', [videoId])).rows;
  const video = async (publisherId: string) => {
    const request = submission({ publisherId, budgetId: publisherId });
    await act.gateway.CreateVideo(request);
    return request;
  };
  /** Every row of a publisher, page by page. */
  const pages = async (publisherId: string, pageSize: number) => {
    const all: unknown[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = await admin().ListAudit({ publisherId, pageSize, cursor });
      all.push(...page.entries);
      cursor = page.nextCursor || undefined;
    }
    return all;
  };
  const publisher = () => `pub_${newId()}`;

  it('rows of the audit cannot be updated, deleted or truncated, whatever the grants of a role', async () => {
    const { id } = await video(publisher());
    await admin().HoldVideo({ videoId: id, actor: 'sam', reason: 'ticket 7' });
    const before = await rows(id);
    for (const statement of [`update audit set actor = 'x'`, 'delete from audit where false', 'truncate audit'])
      expect((await failureOf(harness.pool.query(statement))).message, statement).to.contain(
        'never changed or removed',
      );
    expect(await rows(id))
      .to.deep.equal(before)
      .and.have.length(1);
  });

  it('a rejected command leaves no row in the audit, and an unreadable reason is rejected', async () => {
    const { id } = await video(publisher());
    const request = { videoId: id, actor: 'sam', reason: 'x' };
    expect(await failureOf(admin().RetryVideo(request))).to.include({ code: 'FAILED_PRECONDITION' });
    expect(await failureOf(admin().RerunStage({ ...request, stage: 'encode' }))).to.include({
      code: 'FAILED_PRECONDITION',
    });
    expect(await failureOf(admin().HoldVideo({ ...request, reason: 'a\u001b[2J' }))).to.include({
      code: 'INVALID_ARGUMENT',
    });
    await admin().ShowVideo(request);
    expect(await rows(id)).to.deep.equal([]);
  });

  it('a partner’s command that changes nothing leaves no row in the audit', async () => {
    const ready = await act.ready();
    await act.gateway.ArchiveVideo(ready);
    const before = await rows(ready.id);
    await act.gateway.ArchiveVideo(ready);
    expect(await rows(ready.id)).to.deep.equal(before);
  });

  it('a correction of captions is one row however often it is told, beside the state of the video', async () => {
    const { id } = await video(publisher());
    await admin().HoldVideo({ videoId: id, actor: 'sam', reason: 'ticket 7' });
    const acceptedAt = '2030-02-03T04:05:06.789Z';
    const fix = {
      videoId: id,
      attempt: 1,
      language: 'en',
      cue: 3,
      wasRevision: 7,
      revision: 8,
      actor: 'ann',
      acceptedAt,
    };
    for (let time = 0; time < 3; time++) await harness.publish(events.trackCorrected, { ...fix, reason: 'a name' });
    await harness.publish(events.trackCorrected, { ...fix, videoId: newId(), reason: '' });
    await harness.publish(events.trackCorrected, { ...fix, cue: 0, wasRevision: 8, revision: 9, reason: '' });
    const corrections = async () =>
      (await admin().ListAudit({ videoId: id })).entries.filter(({ action }) => action.startsWith('captions'));
    await until(async () => (await corrections()).length === 2, { what: 'both corrections in the audit' });
    const [replaced, fixed] = await corrections();
    expect(fixed).to.include({ actor: 'ann', action: 'captions fix cue 3 of en', reason: 'a name', at: acceptedAt });
    const held = 'processing, held, captions revision';
    expect([fixed?.was, fixed?.became]).to.deep.equal([`${held} 7`, `${held} 8`]);
    expect(replaced).to.include({ action: 'captions replace en', became: `${held} 9` });
  });

  it('ListAudit pages newest first, by publisher, video, actor and time', async () => {
    const publisherId = publisher();
    const [one, two] = [await video(publisherId), await video(publisherId)];
    for (const { id: videoId } of [one, two]) {
      await admin().HoldVideo({ videoId, actor: 'sam', reason: 'ticket 7' });
      await admin().ReleaseVideo({ videoId, actor: 'kim', reason: 'settled' });
    }
    const all = (await admin().ListAudit({ publisherId })).entries;
    expect(all.map(({ actor, action, was, became }) => [actor, action, was, became].join(' | '))).to.deep.equal([
      'kim | release | processing, held | processing',
      'sam | hold | processing | processing, held',
      'kim | release | processing, held | processing',
      'sam | hold | processing | processing, held',
    ]);
    for (const entry of all) expect(entry).to.include({ publisherId });
    expect(await pages(publisherId, 1)).to.deep.equal(all);
    expect((await admin().ListAudit({ videoId: two.id })).entries).to.deep.equal(all.slice(0, 2));
    expect((await admin().ListAudit({ publisherId, actor: 'kim' })).entries).to.deep.equal([all[0], all[2]]);
    expect((await admin().ListAudit({ publisherId, since: all[0]?.at ?? '' })).entries).to.deep.include(all[0]);
    expect((await admin().ListAudit({ since: '2100-01-01T00:00:00Z' })).entries).to.deep.equal([]);
  });

  it('ListAudit loses no row between pages when many rows have the same millisecond', async () => {
    const publisherId = publisher();
    const { id } = await video(publisherId);
    await harness.pool.query(
      `insert into audit (video_id, publisher_id, at, actor, action, was, became)
       select $1, $2, '2030-01-01', 'sam', 'hold ' || n, '', '' from generate_series(1, 5) n`,
      [id, publisherId],
    );
    const actions = (await pages(publisherId, 2)).map((entry) => (entry as { action: string }).action);
    expect(actions).to.deep.equal([5, 4, 3, 2, 1].map((n) => `hold ${n}`));
  });

  it('ListPublisherVideos pages a publisher’s videos by state, and GetDailyUse has the use of its budgets', async () => {
    const publisherId = publisher();
    const made = [await video(publisherId), await video(publisherId), await video(publisherId)];
    const ids = made
      .map(({ id }) => id)
      .toSorted()
      .toReversed();
    const failed = ids[1] ?? '';
    const failure = '{"code":"source_not_found","stage":"fetch","details":{}}';
    await harness.pool.query(`update videos set state = 'failed', failure = $2 where id = $1`, [failed, failure]);
    const all = (await admin().ListPublisherVideos({ publisherId })).videos;
    expect(all.map(({ videoId }) => videoId)).to.deep.equal(ids);
    expect(all[1]).to.include({ state: 'VIDEO_STATE_FAILED', failureCode: 'source_not_found', title: 'Final' });
    const only = await admin().ListPublisherVideos({ publisherId, state: 'VIDEO_STATE_FAILED' });
    expect(only.videos.map(({ videoId }) => videoId)).to.deep.equal([failed]);
    const first = await admin().ListPublisherVideos({ publisherId, pageSize: 2 });
    const second = await admin().ListPublisherVideos({ publisherId, pageSize: 2, cursor: first.nextCursor });
    expect([...first.videos, ...second.videos]).to.deep.equal(all);
    expect(second.nextCursor).to.equal('');
    expect((await admin().ListPublisherVideos({ publisherId: publisher() })).videos).to.deep.equal([]);
    // Of any publisher, by sport and time of acceptance.
    const ofAll = (await admin().ListPublisherVideos({})).videos;
    expect(new Set(ofAll.map((one) => one.publisherId)).size).to.be.greaterThan(1);
    await harness.pool.query(`update videos set sport = 'fencing' where id = $1`, [failed]);
    const fencing = { sport: 'fencing', since: new Date(Date.now() - 3_600_000).toISOString() };
    expect((await admin().ListPublisherVideos(fencing)).videos.map(({ videoId }) => videoId)).to.deep.equal([failed]);
    const later = { ...fencing, since: new Date(Date.now() + 3_600_000).toISOString() };
    expect((await admin().ListPublisherVideos(later)).videos).to.deep.equal([]);
    expect(await failureOf(admin().ListPublisherVideos({ since: 'x' }))).to.include({ code: 'INVALID_ARGUMENT' });
    const garbled = admin().ListPublisherVideos({ publisherId, cursor: 'zzz' });
    expect(await failureOf(garbled)).to.include({ code: 'INVALID_ARGUMENT', message: 'the cursor is invalid' });
    const { used, resetsInSeconds } = await admin().GetDailyUse({ budgetIds: [publisherId, 'none'] });
    expect(used).to.deep.equal({ [publisherId]: 3 });
    expect(resetsInSeconds).to.be.within(1, 86_400);
  });
});
