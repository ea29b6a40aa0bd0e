import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { addJobRows } from '../../src/work/job-rows.ts';
import { listJobRows, type ListedJob } from '../../src/work/list-jobs.ts';
import { currentPhases, timed, withPhases } from '../../src/work/phases.ts';
import { until } from '@vds/testkit/until';
import { done, jobOf, workKit } from './work-kit.ts';

describe('the phases of a job', () => {
  const { pool, workers } = workKit();

  it('calls beside each other count once, pauses do not count, and each job has its own', async () => {
    const from = performance.now();
    let begunMs = 0;
    const phases = await withPhases(async () => {
      await sleep(20);
      const first = (): Promise<unknown> => {
        begunMs = performance.now() - from;
        return sleep(100);
      };
      await Promise.all([timed('upload', first), timed('upload', () => sleep(60))]);
      await sleep(100);
      await timed('upload', () => sleep(40));
      return currentPhases();
    });
    const { fromMs, toMs, ms } = phases?.upload ?? expect.fail('no upload');
    expect(fromMs).to.be.within(15, Math.ceil(begunMs));
    expect(toMs - fromMs).to.be.at.least(235);
    expect(ms)
      .to.be.at.least(135)
      .and.below(toMs - fromMs - 90);
    expect(await timed('fetch', async () => currentPhases())).to.equal(undefined);
  });

  it('a phase that goes on lasts until now', async () => {
    await withPhases(async () => {
      const encode = timed('encode', () => sleep(80));
      await sleep(40);
      const { toMs, ms } = currentPhases()?.encode ?? expect.fail('no encode');
      expect(toMs).to.be.at.least(35);
      expect(ms).to.be.at.least(35);
      await encode;
    });
  });

  it('the end of a job, done or failed, keeps when its last try was claimed and what its time went to', async () => {
    await addJobRows(pool(), [jobOf('a'), jobOf('b')]);
    workers(
      async (job) => {
        await timed('fetch', () => sleep(30)).then(() => timed('encode', () => sleep(20)));
        if (job.tries === 0) throw new Error('flaky');
        if (job.videoId === 'b') throw new Error('for good');
        await done(job);
      },
      { maxTries: 2 },
    );
    const read = () => listJobRows(pool(), { videoId: '', state: '', afterId: 0, limit: 9 });
    await until(async () => (await read()).every(({ finishedAt }) => finishedAt !== null), { what: 'both ends' });
    for (const { state, tries, phases, ...job } of await read()) {
      expect([state, tries], job.videoId).to.deep.equal(job.videoId === 'a' ? ['done', 1] : ['failed', 1]);
      expect(phases, job.videoId).to.have.all.keys('fetch', 'encode');
      expect(phases?.encode?.fromMs).to.be.at.least(phases?.fetch?.toMs ?? Infinity);
      const [ready, claimed, ended] = timesOf(job);
      expect(claimed).to.be.at.least(ready);
      expect(ended - claimed).to.be.within(45, 30 + ended - ready);
    }
  });
});

function timesOf({ runAfter, startedAt, finishedAt }: Pick<ListedJob, 'runAfter' | 'startedAt' | 'finishedAt'>) {
  return [runAfter, startedAt, finishedAt].map((time) => time?.getTime() ?? Number.NaN) as [number, number, number];
}
