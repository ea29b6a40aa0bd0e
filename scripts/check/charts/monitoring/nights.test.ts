/** Nights as somebody on call lives them: how often the alerts wake whom. promtool evaluates the rules and says what fired. */
import { expect } from 'chai';
import { promtool } from '@vds/testkit/programs/prometheus';
import { skipBecause } from '@vds/testkit/skip';
import { canRender, render } from '../render.ts';
import { counter, type Night, type Show } from './night-series.ts';
import { jobSeries, type JobSpec, type Outcome } from './night-job.ts';
import { firedIn, timesOf } from './nights.ts';

const root = new URL('../../../../', import.meta.url).pathname;
const FROM = 60;

describe('a night', function () {
  this.timeout(120_000);
  let tool = '';
  before(async function () {
    tool = (await promtool()) ?? skipBecause(this, 'there is no promtool');
  });
  const wakes = async (night: Night): Promise<{ pages: Record<string, number>; tickets: string[] }> => {
    const fired = await firedIn(root, tool, night);
    return { pages: timesOf(fired, 'page'), tickets: Object.keys(timesOf(fired, 'ticket')) };
  };
  const total = (pages: Record<string, number>): number => Object.values(pages).reduce((sum, times) => sum + times, 0);

  it('a quiet night wakes nobody and leaves no ticket', async () => {
    expect(await wakes({ hours: 2 })).to.deep.equal({ pages: {}, tickets: [] });
  });

  it('a night in which PostgreSQL fails over for 90 s, and pools find it again within half a minute, pages once at most', async () => {
    const { pages } = await wakes({ hours: 2, away: { postgres: [FROM, FROM + 2.1] } });
    expect(total(pages), JSON.stringify(pages)).to.be.at.most(1);
  });

  it('a night in which NATS moves to another node within eight minutes pages once at most', async () => {
    const { pages } = await wakes({ hours: 2, away: { nats: [FROM, FROM + 8] } });
    expect(total(pages), JSON.stringify(pages)).to.be.at.most(1);
  });

  it('a night in which a partner submits 500 titles at once, and all are worked off in turn, wakes nobody', async () => {
    const { pages } = await wakes({ hours: 4, changes: importOf(FROM) });
    expect(pages).to.deep.equal({});
  });

  describe('the nightly look for lost objects', () => {
    let job: JobSpec;
    before(async function () {
      if (!canRender()) return skipBecause(this, 'helm is not on PATH');
      const resources = await render('vds', 'vds', ['--values', 'charts/vds/ci/required-values.yaml']);
      const cron = resources.find(({ kind }) => kind === 'CronJob')?.spec as { jobTemplate: { spec: JobSpec } };
      job = cron.jobTemplate.spec;
    });
    const look = async (outcomes: readonly Outcome[]) => wakes({ hours: 2, more: jobSeries(job, FROM, outcomes) });

    it('a night in which the pod of the nightly look is evicted wakes nobody: the next pod looks', async () => {
      expect(await look(['evicted', 0])).to.deep.equal({ pages: {}, tickets: [] });
    });
    it('a night in which the nightly look cannot look is a ticket', async () => {
      const { pages, tickets } = await look([1, 1, 1, 1, 1, 1, 1]);
      expect({ pages, tickets: tickets.length }).to.deep.equal({ pages: {}, tickets: 1 });
    });
    it('a night in which the nightly look finds that viewers miss objects pages once', async () => {
      const { pages, tickets } = await look([4]);
      expect({ pages: total(pages), tickets }, JSON.stringify(pages)).to.deep.equal({ pages: 1, tickets: [] });
    });
  });

  it('a night in which no playback token can be minted pages once', async () => {
    const after = (minute: number): boolean => minute >= FROM;
    const { pages } = await wakes({
      hours: 2,
      changes: [
        [/MintPlaybackToken.*code="OK"/, counter((minute) => (after(minute) ? 0 : 10))],
        [/MintPlaybackToken.*code="INTERNAL"/, counter((minute) => (after(minute) ? 10 : 0))],
      ],
    });
    expect(total(pages), JSON.stringify(pages)).to.equal(1);
  });

  for (const status of [401, 404])
    it(`a night in which playback answers ${status} to all pages once`, async () => {
      const { pages } = await wakes({ hours: 2, changes: refusalsOf(status, FROM) });
      expect(total(pages), JSON.stringify(pages)).to.equal(1);
    });

  for (const service of ['captions', 'metadata', 'analytics'] as const)
    it(`a night in which ${service} is down wakes nobody and leaves a ticket`, async () => {
      const { pages, tickets } = await wakes({ hours: 3, away: { [service]: [FROM, 180] } });
      expect(pages).to.deep.equal({});
      expect(tickets).to.include(`VdsComponentDown ${service}`);
    });

  for (const service of ['gateway', 'playback', 'ingest', 'transcode'] as const)
    it(`a night in which ${service} is down pages once: a partner or viewer feels it`, async () => {
      const { pages } = await wakes({ hours: 3, away: { [service]: [FROM, 180] } });
      expect(total(pages), JSON.stringify(pages)).to.equal(1);
    });
});

/** Titles of 20 min each: all are fetched after 90 min, and none is encoded in time. */
function importOf(from: number): NonNullable<Night['changes']> {
  const grows: Show = (minute) => 2 + 60 * Math.max(0, minute - from);
  const growsFor =
    (minutes: number): Show =>
    (minute) =>
      minute > from + minutes ? 2 : grows(minute);
  return [
    [/work_oldest_ready_seconds.*queue="fetch"/, growsFor(90)],
    [/work_oldest_ready_seconds/, grows],
    [/catalog_oldest_request_seconds.*stage="fetch"/, growsFor(90)],
    [/catalog_oldest_request_seconds/, grows],
    [/catalog_overdue_videos/, (minute) => (minute > from + 30 ? 450 : 0)],
    [/time_to_ready_ratio_count/, counter((minute) => (minute > from + 10 ? 1.5 : 0.2))],
    [/time_to_ready_ratio_bucket/, counter((minute) => (minute > from + 10 ? 0.05 : 0.2))],
  ];
}

/** Whoever was answered with 200 is answered with this status. */
function refusalsOf(status: number, from: number): NonNullable<Night['changes']> {
  const rates: Readonly<Record<string, number>> = { entry: 15, segment: 500, ...(status === 404 && { thumbnail: 50 }) };
  return Object.entries(rates).flatMap(([route, rate]) => [
    [new RegExp(`route="${route}", status="200"`), counter((minute) => (minute < from ? rate : 0))] as const,
    [new RegExp(`route="${route}", status="${status}"`), counter((minute) => (minute < from ? 0 : rate))] as const,
  ]);
}
