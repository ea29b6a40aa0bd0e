/** What the staff can ask of the audit and of a publisher's videos, and that nothing of the audit is ever lost. */
import { expect } from 'chai';
import { commonHouse } from './shared-fixture.ts';
import { newId, type House } from './harness.ts';
import { actOn, failureOf, firstOf, submission, type Acting } from './partner.ts';

describe('the audit of catalog', () => {
  let house: House;
  let act: Acting;
  before(async () => {
    house = await commonHouse();
    act = actOn(house);
  });
  const staff = () => firstOf(house).staffAs('vdsctl');
  const rows = async (videoId: string): Promise<unknown[]> =>
    (await house.pool.query('select * from audit where video_id = $1 order by id', [videoId])).rows;
  const video = async (publisherId: string) => {
    const request = submission({ publisherId, budgetId: publisherId });
    await act.gateway.CreateVideo(request);
    return request;
  };
  /** Every row of a publisher, page by page. */
  const pages = async (publisherId: string, pageSize: number) => {
    const all: unknown[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = await staff().ListAudit({ publisherId, pageSize, cursor });
      all.push(...page.entries);
      cursor = page.nextCursor || undefined;
    }
    return all;
  };
  const publisher = () => `pub_${newId()}`;

  it('is never changed or removed, whatever a role may do', async () => {
    const { id } = await video(publisher());
    await staff().HoldVideo({ videoId: id, actor: 'sam', reason: 'ticket 7' });
    const before = await rows(id);
    for (const verb of [`update audit set actor = 'x'`, 'delete from audit where false', 'truncate audit'])
      expect((await failureOf(house.pool.query(verb))).message, verb).to.contain('never changed or removed');
    expect(await rows(id))
      .to.deep.equal(before)
      .and.have.length(1);
  });

  it('has nothing of a verb that was refused, and takes no unreadable reason', async () => {
    const { id } = await video(publisher());
    const asked = { videoId: id, actor: 'sam', reason: 'x' };
    expect(await failureOf(staff().RetryVideo(asked))).to.include({ code: 'FAILED_PRECONDITION' });
    expect(await failureOf(staff().RepeatStage({ ...asked, stage: 'encode' }))).to.include({
      code: 'FAILED_PRECONDITION',
    });
    expect(await failureOf(staff().HoldVideo({ ...asked, reason: 'a\u001b[2J' }))).to.include({
      code: 'INVALID_ARGUMENT',
    });
    await staff().ShowVideo(asked);
    expect(await rows(id)).to.deep.equal([]);
  });

  it('is read in pages, newest first, by publisher, video, person and time', async () => {
    const publisherId = publisher();
    const [one, two] = [await video(publisherId), await video(publisherId)];
    for (const { id: videoId } of [one, two]) {
      await staff().HoldVideo({ videoId, actor: 'sam', reason: 'ticket 7' });
      await staff().ReleaseVideo({ videoId, actor: 'kim', reason: 'settled' });
    }
    const whole = (await staff().ListAudit({ publisherId })).entries;
    expect(whole.map(({ actor, action, was, became }) => [actor, action, was, became].join(' | '))).to.deep.equal([
      'kim | release | processing, held | processing',
      'sam | hold | processing | processing, held',
      'kim | release | processing, held | processing',
      'sam | hold | processing | processing, held',
    ]);
    for (const entry of whole) expect(entry).to.include({ publisherId });
    expect(await pages(publisherId, 1)).to.deep.equal(whole);
    expect((await staff().ListAudit({ videoId: two.id })).entries).to.deep.equal(whole.slice(0, 2));
    expect((await staff().ListAudit({ publisherId, actor: 'kim' })).entries).to.deep.equal([whole[0], whole[2]]);
    expect((await staff().ListAudit({ publisherId, since: whole[0]?.at ?? '' })).entries).to.deep.include(whole[0]);
    expect((await staff().ListAudit({ since: '2100-01-01T00:00:00Z' })).entries).to.deep.equal([]);
  });

  it('loses no row between pages, however many there are of one millisecond', async () => {
    const publisherId = publisher();
    const { id } = await video(publisherId);
    await house.pool.query(
      `insert into audit (video_id, publisher_id, at, actor, action, was, became)
       select $1, $2, '2030-01-01', 'sam', 'hold ' || n, '', '' from generate_series(1, 5) n`,
      [id, publisherId],
    );
    const actions = (await pages(publisherId, 2)).map((entry) => (entry as { action: string }).action);
    expect(actions).to.deep.equal([5, 4, 3, 2, 1].map((n) => `hold ${n}`));
  });

  it('stands beside lists of a publisher’s videos, by state and in pages, and of the use of its budgets', async () => {
    const publisherId = publisher();
    const made = [await video(publisherId), await video(publisherId), await video(publisherId)];
    const ids = made
      .map(({ id }) => id)
      .toSorted()
      .toReversed();
    const failed = ids[1] ?? '';
    const failure = '{"code":"source_not_found","stage":"fetch","details":{}}';
    await house.pool.query(`update videos set state = 'failed', failure = $2 where id = $1`, [failed, failure]);
    const all = (await staff().ListPublisherVideos({ publisherId })).videos;
    expect(all.map(({ videoId }) => videoId)).to.deep.equal(ids);
    expect(all[1]).to.include({ state: 'VIDEO_STATE_FAILED', failureCode: 'source_not_found', title: 'Final' });
    const only = await staff().ListPublisherVideos({ publisherId, state: 'VIDEO_STATE_FAILED' });
    expect(only.videos.map(({ videoId }) => videoId)).to.deep.equal([failed]);
    const first = await staff().ListPublisherVideos({ publisherId, pageSize: 2 });
    const second = await staff().ListPublisherVideos({ publisherId, pageSize: 2, cursor: first.nextCursor });
    expect([...first.videos, ...second.videos]).to.deep.equal(all);
    expect(second.nextCursor).to.equal('');
    expect((await staff().ListPublisherVideos({ publisherId: publisher() })).videos).to.deep.equal([]);
    expect(await failureOf(staff().ListPublisherVideos({}))).to.include({ code: 'INVALID_ARGUMENT' });
    const { used, resetsInSeconds } = await staff().GetDailyUse({ budgetIds: [publisherId, 'none'] });
    expect(used).to.deep.equal({ [publisherId]: 3 });
    expect(resetsInSeconds).to.be.within(1, 86_400);
  });
});
