import { expect } from 'chai';
import { AppError, orUndefinedIfNotFound } from '../../src/errors.ts';
import { runStartupChecks, optional } from '../../src/process/startup-checks.ts';
import { startHealth } from '../../src/process/health.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { until } from '@vds/testkit/until';

describe('startup checks', () => {
  const lines: string[] = [];
  const log = createLogger('test', 'info', { write: (line) => void lines.push(line) });
  let health: Awaited<ReturnType<typeof startHealth>>;
  let stopping: AbortController;
  beforeEach(async () => {
    lines.length = 0;
    stopping = new AbortController();
    health = await startHealth(0, createMetrics('test'), log);
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

  it('a failing startup check is awaited, and named in /readyz; only the log has the reason', async () => {
    let away = true;
    const check = async (): Promise<void> => {
      if (away) throw new AppError('UNAUTHENTICATED', 'the service token is missing or unknown');
    };
    const checks = runStartupChecks(scope(), { auth_reached: check, catalog_reached: async () => {} });
    await until(async () => (await readyz()).includes('"catalog_reached":"ok"'), { what: 'one of the checks passes' });
    expect(await readyz())
      .to.match(/^503/)
      .and.include('"auth_reached":"failing"')
      .and.not.include('token');
    expect(lines.join()).to.include('"check":"auth_reached"').and.include('the service token is missing or unknown');
    away = false;
    await checks;
    expect(await readyz())
      .to.match(/^200/)
      .and.include('"auth_reached":"ok"');
    expect(lines.join()).to.include('startup check passed');
  });

  it('a check that has passed is not repeated, so that a later outage of a peer does not make its callers unready', async () => {
    let calls = 0;
    await runStartupChecks(scope(), { auth_reached: async () => void (calls += 1) });
    await readyz();
    expect(await readyz()).to.match(/^200/);
    expect(calls).to.equal(1);
  });

  it('the same reason is logged once', async () => {
    let calls = 0;
    const checks = runStartupChecks(scope(), {
      auth_reached: async () => {
        calls += 1;
        if (calls < 4) throw new Error('away');
      },
    });
    await checks;
    expect(lines.filter((line) => line.includes('"reason":"away"'))).to.have.length(1);
  });

  it('the checks end when the process stops', async () => {
    const checks = runStartupChecks(scope(), { auth_reached: () => Promise.reject(new Error('away')) });
    stopping.abort();
    expect(await checks.then(String, String)).to.include('the process is stopping');
  });

  it('NOT_FOUND counts as a reply, any other error does not', async () => {
    expect(await orUndefinedIfNotFound(Promise.reject(new AppError('NOT_FOUND', 'no video')))).to.equal(undefined);
    const failure = orUndefinedIfNotFound(Promise.reject(new AppError('PERMISSION_DENIED', 'may not')));
    expect(await failure.then(String, (error: AppError) => error.code)).to.equal('PERMISSION_DENIED');
  });

  it('an optional peer may be unavailable after the grace period, but must not reject the credentials', async () => {
    const failing = (code: 'UNAVAILABLE' | 'UNAUTHENTICATED') => () => Promise.reject(new AppError(code, code));
    const outcome = (check: () => Promise<unknown>): Promise<string> => check().then(() => 'ok', String);
    expect(await outcome(optional(failing('UNAVAILABLE'), 60_000))).to.include('UNAVAILABLE');
    expect(await outcome(optional(failing('UNAVAILABLE'), 0))).to.equal('ok');
    expect(await outcome(optional(failing('UNAUTHENTICATED'), 0))).to.include('UNAUTHENTICATED');
  });
});
