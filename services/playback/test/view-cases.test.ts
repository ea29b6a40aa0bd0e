/** What playback makes of what players report: the table of cases, and the players of the guide. */
import { expect } from 'chai';
import type { ViewReported } from '@vds/proto/generated/vds/playback/v1/ViewReported.ts';
import { until } from '@vds/testkit/until';
import { viewCases } from '@vds/testkit/views/view-cases';
import { isAutomated } from '../src/domain/automated.ts';
import { startPlayback, type Playback } from './playback.ts';
import { viewerFixture } from './viewer-fixture.ts';

describe('loads, plays and starts as players report them', () => {
  const viewer = viewerFixture(Buffer.alloc(1_000, 's'));
  const reports: ViewReported[] = [];
  let playback: Playback;
  before(async () => {
    const onReport = async (report: ViewReported): Promise<void> => void reports.push(report);
    playback = await startPlayback(viewer.peersPort, viewer.bucket, { onReport });
  });
  after(() => playback.close());
  beforeEach(() => void reports.splice(0));
  const post = (body: string, headers: Readonly<Record<string, string>>) =>
    playback.get(`${viewer.under}/events`, { method: 'POST', body, headers });

  for (const { name, lines, headers, reports: expected } of viewCases)
    it(`${name} is published as what it is`, async () => {
      expect((await post(lines.join('\n'), headers)).status).to.equal(204);
      // What comes behind it shows that nothing of it is under way.
      await post('e=t,sid="last",sn=1', {});
      await until(() => reports.some(({ viewId }) => viewId === 'last'), { what: 'the last report' });
      const own = reports.filter(({ viewId }) => viewId !== 'last');
      expect(own).to.have.length(expected.length);
      for (const [at, fields] of expected.entries()) expect(own[at]).to.deep.include(fields);
    });

  it('requests for segments are a play once something plays, with what was fetched ahead', async () => {
    const get = (cmcd: string, viewId: string, headers = {}) =>
      playback.get(
        `${viewer.under}/piece-0.1/v/seg-00000.m4s?CMCD=${encodeURIComponent(`d=6000,ot=v,sid="${viewId}",${cmcd}`)}`,
        { headers },
      );
    await get('pr=0,su', 'ahead');
    await get('su', 'direct');
    await get('su', 'bot', { 'user-agent': 'Mozilla/5.0 (compatible; bingbot/2.0)' });
    await get('su', 'prefetched', { 'sec-purpose': 'prefetch' });
    await until(() => reports.length === 2, { what: 'two reports' });
    expect(reports.find(({ viewId }) => viewId === 'ahead')).to.include({ asked: false, watchedMs: 0 });
    expect(reports.find(({ viewId }) => viewId === 'direct')).to.include({ asked: true, watchedMs: 6_000 });
    expect(await playback.metric('vds_playback_view_reports_total', { outcome: 'automated' })).to.be.at.least(2);
  });

  it('crawlers are told by their names, and viewers’ devices are none', () => {
    for (const agent of [
      'GPTBot/1.2',
      'ClaudeBot/1.0',
      'Baiduspider/2.0',
      'facebookexternalhit/1.1',
      'Chrome-Lighthouse',
    ])
      expect(isAutomated(agent, ''), agent).to.equal(true);
    for (const agent of ['Dalvik/2.1.0 (Linux; Android 12; CUBOT X70)', 'Roku/DVP-12.5', 'AppleCoreMedia/1.0', ''])
      expect(isAutomated(agent, ''), agent).to.equal(false);
  });
});
