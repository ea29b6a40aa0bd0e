import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { startEngines, type Engines } from '@vds/testkit/engines/engines';
import type { Fault } from '@vds/testkit/engines/faults';
import { openHttpEngine, type HttpEngineOptions } from '../../src/outbound/engines/http-engine.ts';
import { failureOf, never, quick } from './troubled.ts';

describe('captions: calls to an engine behind HTTP', () => {
  let engines: Engines;
  beforeEach(async () => void (engines = await startEngines()));
  afterEach(() => engines.close());

  const open = (more: Partial<HttpEngineOptions> = {}) =>
    openHttpEngine({ name: 'the engine', url: engines.url, timeoutMs: 2_000, concurrency: 4, pace: quick, ...more });
  const ask = (call = open(), signal = never()) =>
    call({ method: 'GET', path: 'languages', mostBytes: 100_000, read: (answer) => answer as unknown[], signal });
  const trouble = (fault: Fault, times?: number): void =>
    engines.trouble({ endpoint: 'languages', fault, ...(times === undefined ? {} : { times }) });

  const passing: Readonly<Record<string, Fault>> = {
    'a 500': { kind: 'status', status: 500 },
    'a 503': { kind: 'status', status: 503 },
    'a 408': { kind: 'status', status: 408 },
    'a 429': { kind: 'status', status: 429 },
    'an answer that is cut': { kind: 'cut' },
  };
  for (const [what, fault] of Object.entries(passing)) {
    it(`tries again after ${what}`, async () => {
      trouble(fault, 2);
      expect(await ask()).to.be.an('array');
      expect(engines.calls()).to.have.length(3);
    });

    it(`leaves it to a later try when ${what} stays`, async () => {
      trouble(fault);
      const error = await failureOf(ask());
      expect(error.code).to.equal(what === 'a 429' ? 'RESOURCE_EXHAUSTED' : 'UNAVAILABLE');
      expect(error).to.include({ reason: 'engine_error' });
      expect(engines.calls()).to.have.length(3);
    });
  }

  it('waits as long as a 429 asks', async () => {
    trouble({ kind: 'status', status: 429, retryAfter: '1' }, 1);
    const begun = performance.now();
    await ask();
    expect(performance.now() - begun).to.be.at.least(990);
  });

  it('does not wait a minute, but leaves it to a later try', async () => {
    trouble({ kind: 'status', status: 429, retryAfter: '60' });
    expect(await failureOf(ask())).to.have.property('code', 'RESOURCE_EXHAUSTED');
    expect(engines.calls()).to.have.length(1);
  });

  it('reads a date in retry-after', async () => {
    trouble({ kind: 'status', status: 503, retryAfter: new Date(Date.now() + 3_600_000).toUTCString() });
    await failureOf(ask());
    expect(engines.calls()).to.have.length(1);
  });

  for (const status of [400, 401, 403, 404, 413, 422])
    it(`does not repeat what is refused with ${status}`, async () => {
      trouble({ kind: 'status', status });
      expect(await failureOf(ask())).to.include({ code: 'FAILED_PRECONDITION', reason: 'engine_error' });
      expect(engines.calls()).to.have.length(1);
    });

  const wrong: Readonly<Record<string, Fault>> = {
    'what is no JSON': { kind: 'no-json' },
    'an answer that is too large': { kind: 'huge', bytes: 50_000_000 },
  };
  for (const [what, fault] of Object.entries(wrong)) {
    it(`tries once more after ${what}, then fails for good`, async () => {
      trouble(fault);
      const error = await failureOf(ask());
      expect(error).to.include({ code: 'FAILED_PRECONDITION', reason: 'engine_error' });
      expect(error.message).to.match(/^the engine answered nonsense/);
      expect(engines.calls()).to.have.length(2);
    });

    it(`forgives ${what} once`, async () => {
      trouble(fault, 1);
      expect(await ask()).to.be.an('array');
    });
  }

  it('follows no redirect', async () => {
    const elsewhere = await startEngines();
    trouble({ kind: 'redirect', to: `${elsewhere.url}/languages` });
    await failureOf(ask());
    expect(elsewhere.calls()).to.have.length(0);
    await elsewhere.close();
  });

  it('ends a call that takes too long, without another', async () => {
    trouble({ kind: 'silent' });
    expect(await failureOf(ask(open({ timeoutMs: 200 })))).to.have.property('code', 'DEADLINE_EXCEEDED');
    expect(engines.calls()).to.have.length(1);
  });

  it('is unavailable where nobody listens', async () => {
    const { url } = engines;
    await engines.close();
    const error = await failureOf(ask(open({ url })));
    expect(error).to.have.property('code', 'UNAVAILABLE');
    expect(error.message).to.contain('ECONNREFUSED');
    engines = await startEngines();
  });

  it('throws the signal’s own reason, whether it computes, waits to repeat or waits its turn', async () => {
    const faults: Fault[] = [{ kind: 'silent' }, { kind: 'status', status: 429, retryAfter: '2' }];
    for (const fault of faults) {
      engines.heal();
      trouble(fault);
      const seen = engines.calls().length;
      const abort = new AbortController();
      const call = open({ concurrency: 1 });
      const both = Promise.allSettled([ask(call, abort.signal), ask(call, abort.signal)]);
      await until(() => engines.calls().length > seen, { what: 'the call' });
      abort.abort(new Error('no longer wanted'));
      const reasons = (await both).map((one) => one.status === 'rejected' && String(one.reason));
      expect(reasons).to.deep.equal(['Error: no longer wanted', 'Error: no longer wanted']);
    }
  });

  it('throws the signal’s own reason in its last try too', async () => {
    trouble({ kind: 'silent' });
    const abort = new AbortController();
    const outcome = ask(open({ pace: { ...quick, tries: 1 } }), abort.signal).catch(String);
    await until(() => engines.calls().length === 1, { what: 'the call' });
    abort.abort(new Error('no longer wanted'));
    expect(await outcome).to.equal('Error: no longer wanted');
  });

  it('makes no more calls at a time than it may', async () => {
    trouble({ kind: 'delay', ms: 30 });
    const call = open({ concurrency: 2 });
    await Promise.all(Array.from({ length: 8 }, () => ask(call)));
    expect(engines.mostAtOnce('languages')).to.equal(2);
  });

  it('gives the place of a call that was given up to the next', async () => {
    trouble({ kind: 'silent' }, 1);
    const call = open({ concurrency: 1 });
    const abort = new AbortController();
    const [first, second] = [ask(call, abort.signal), ask(call)];
    await until(() => engines.calls().length === 1, { what: 'the first call' });
    abort.abort(new Error('enough'));
    await Promise.allSettled([first]);
    expect(await second).to.be.an('array');
  });
});
