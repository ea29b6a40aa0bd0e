import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPeriodic } from '../../src/process/periodic.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { until } from '@vds/testkit/until';

describe('periodic tasks', () => {
  const logLines: Record<string, unknown>[] = [];
  const log = createLogger('test', 'warn', { write: (line: string) => void logLines.push(JSON.parse(line)) });
  let running: ReturnType<typeof startPeriodic> | undefined;
  beforeEach(() => void logLines.splice(0));
  afterEach(() => running?.close());

  it('each periodic task runs at once and again after its interval', async () => {
    const runs: string[] = [];
    const task = (name: string) => async (): Promise<void> => void runs.push(name);
    running = startPeriodic({ log, everyMs: 20, tasks: { a: task('a'), b: task('b') } });
    expect(runs).to.deep.equal(['a', 'b']);
    await until(() => runs.length >= 6, { what: 'three runs of each task' });
    expect(runs.filter((name) => name === 'a').length).to.be.at.least(2);
  });

  it('closing aborts the signal of a running task, waits for its end and starts no further run', async () => {
    let runs = 0;
    let ended = false;
    const task = async (signal: AbortSignal): Promise<void> => {
      runs += 1;
      await sleep(60_000, undefined, { signal }).catch(() => sleep(20));
      ended = true;
    };
    running = startPeriodic({ log, everyMs: 1, tasks: { task } });
    await running.close();
    expect({ runs, ended }).to.deep.equal({ runs: 1, ended: true });
  });

  it('a failing task is logged the first time and every 30th, and again after a success', async () => {
    let runs = 0;
    const task = async (): Promise<void> => {
      runs += 1;
      if (runs !== 35) throw new Error('unavailable');
    };
    running = startPeriodic({ log, everyMs: 1, tasks: { task } });
    await until(() => runs >= 40, { what: 'forty runs' });
    await running.close();
    expect(logLines.map(({ task: name, failures, reason }) => [name, failures, reason])).to.deep.equal([
      ['task', 1, 'unavailable'],
      ['task', 31, 'unavailable'],
      ['task', 1, 'unavailable'],
    ]);
  });

  it('a failed task is retried after its own wait', async () => {
    let runs = 0;
    const task = async (): Promise<void> => {
      runs += 1;
      if (runs === 1) throw new Error('unavailable');
    };
    running = startPeriodic({ log, everyMs: 60_000, retryMs: 10, tasks: { task } });
    await until(() => runs === 2, { what: 'the retry' });
  });

  it('a metric shows how long each task has been failing, until it succeeds', async () => {
    const metrics = createMetrics('test');
    let fails = true;
    const tasks = {
      sick: async (): Promise<void> => {
        if (fails) throw new Error('unavailable');
      },
      well: async (): Promise<void> => {},
    };
    running = startPeriodic({ log, metrics, everyMs: 5, tasks });
    const other = startPeriodic({ log, metrics, everyMs: 5, tasks: { third: tasks.well } });
    const secondsOf = async (task: string): Promise<number> =>
      Number(
        new RegExp(`^vds_task_failing_seconds{task="${task}"\\S* (\\S+)`, 'm').exec(
          await metrics.registry.metrics(),
        )?.[1],
      );
    try {
      await until(async () => (await secondsOf('sick')) > 0.05, { what: 'it has been failing for a while' });
      expect([await secondsOf('well'), await secondsOf('third')]).to.deep.equal([0, 0]);
      fails = false;
      await until(async () => (await secondsOf('sick')) === 0, { what: 'it succeeds' });
    } finally {
      await other.close();
    }
  });
});
