import { expect } from 'chai';
import { AppError } from '../../src/errors.ts';
import { runStartupChecks, optional, orUndefinedIfNotFound } from '../../src/process/startup-checks.ts';
import { startHealth } from '../../src/process/health.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { until } from '@vds/testkit/until';

describe('the first contact', () => {
  const lines: string[] = [];
  const log = createLogger('test', 'info', { write: (line) => void lines.push(line) });
  let health: Awaited<ReturnType<typeof startHealth>>;
  let stopping: AbortController;
  beforeEach(async () => {
    lines.length = 0;
    stopping = new AbortController();
    health = await startHealth(0, createMetrics('test'));
    health.serving();
  });
  afterEach(async () => {
    stopping.abort();
    await health.close();
  });
  const scope = () => ({ health, log, signal: stopping.signal });
  const readyz = async (): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${health.port}/readyz`);
    return `${answer.status} ${await answer.text()}`;
  };

  it('is waited for, and shown with what is missing in /readyz and in the log', async () => {
    let away = true;
    const ask = async (): Promise<void> => {
      if (away) throw new AppError('UNAUTHENTICATED', 'the service token is missing or unknown');
    };
    const contact = runStartupChecks(scope(), { auth_reached: ask, catalog_reached: async () => {} });
    await until(async () => (await readyz()).includes('token is missing'), { what: '/readyz says it' });
    expect(await readyz())
      .to.match(/^503/)
      .and.include('"catalog_reached":"ok"');
    expect(lines.join()).to.include('"check":"auth_reached"').and.include('the service token is missing or unknown');
    away = false;
    await contact;
    expect(await readyz())
      .to.match(/^200/)
      .and.include('"auth_reached":"ok"');
    expect(lines.join()).to.include('the first contact is there');
  });

  it('is asked for only once: a peer that goes away later makes nobody unready', async () => {
    let asked = 0;
    await runStartupChecks(scope(), { auth_reached: async () => void (asked += 1) });
    await readyz();
    expect(await readyz()).to.match(/^200/);
    expect(asked).to.equal(1);
  });

  it('says the same reason once', async () => {
    let asked = 0;
    const contact = runStartupChecks(scope(), {
      auth_reached: async () => {
        asked += 1;
        if (asked < 4) throw new Error('away');
      },
    });
    await contact;
    expect(lines.filter((line) => line.includes('"reason":"away"'))).to.have.length(1);
  });

  it('ends with the boot that is told to stop', async () => {
    const contact = runStartupChecks(scope(), { auth_reached: () => Promise.reject(new Error('away')) });
    stopping.abort();
    expect(await contact.then(String, String)).to.include('the process stops');
  });

  it('takes for an answer that there is no such thing, and nothing else', async () => {
    expect(await orUndefinedIfNotFound(Promise.reject(new AppError('NOT_FOUND', 'no video')))).to.equal(undefined);
    const refused = orUndefinedIfNotFound(Promise.reject(new AppError('PERMISSION_DENIED', 'may not')));
    expect(await refused.then(String, (error: AppError) => error.code)).to.equal('PERMISSION_DENIED');
  });

  it('passes over a peer that is away once the grace is over, and never one that refuses', async () => {
    const failing = (code: 'UNAVAILABLE' | 'UNAUTHENTICATED') => () => Promise.reject(new AppError(code, code));
    const outcome = (check: () => Promise<unknown>): Promise<string> => check().then(() => 'ok', String);
    expect(await outcome(optional(failing('UNAVAILABLE'), 60_000))).to.include('UNAVAILABLE');
    expect(await outcome(optional(failing('UNAVAILABLE'), 0))).to.equal('ok');
    expect(await outcome(optional(failing('UNAUTHENTICATED'), 0))).to.include('UNAUTHENTICATED');
  });
});
