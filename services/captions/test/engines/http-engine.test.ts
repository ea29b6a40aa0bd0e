import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { openCuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { startEngines, type Engines } from '@vds/testkit/engines/engines';
import type { Fault } from '@vds/testkit/engines/faults';
import { openHttpEngine, type HttpEngineOptions } from '@vds/chassis/http/http-engine';
import { failureOf, never, shortRetry } from './support.ts';

describe('HTTP engine client', () => {
  let engines: Engines;
  beforeEach(async () => void (engines = await startEngines()));
  afterEach(() => engines.close());

  const open = (more: Partial<HttpEngineOptions> = {}) =>
    openHttpEngine({
      name: 'the engine',
      url: engines.url,
      timeoutMs: 2_000,
      concurrency: 4,
      retry: shortRetry,
      ...more,
    });
  const callEngine = (call = open(), signal = never()) =>
    call({ method: 'GET', path: 'languages', mostBytes: 100_000, read: (response) => response as unknown[], signal });
  const trouble = (fault: Fault, times?: number): void =>
    engines.trouble({ endpoint: 'languages', fault, ...(times === undefined ? {} : { times }) });

  const transient: Readonly<Record<string, Fault>> = {
    'a 500': { kind: 'status', status: 500 },
    'a 503': { kind: 'status', status: 503 },
    'a 408': { kind: 'status', status: 408 },
    'a 429': { kind: 'status', status: 429 },
    'a response that is cut': { kind: 'cut' },
  };
  for (const [what, fault] of Object.entries(transient)) {
    it(`an engine call is retried after ${what}`, async () => {
      trouble(fault, 2);
      expect(await callEngine()).to.be.an('array');
      expect(engines.calls()).to.have.length(3);
    });

    it(`an engine call fails with a retryable code when ${what} persists`, async () => {
      trouble(fault);
      const error = await failureOf(callEngine());
      expect(error.code).to.equal(what === 'a 429' ? 'RESOURCE_EXHAUSTED' : 'UNAVAILABLE');
      expect(error).to.include({ reason: 'engine_error' });
      expect(engines.calls()).to.have.length(3);
    });
  }

  it('an engine call whose response stops in its middle is retried', async () => {
    trouble({ kind: 'stall' }, 1);
    expect(await callEngine(open({ timeoutMs: 60_000, silentMs: 300 }))).to.be.an('array');
  });

  it('an engine call fails with a retryable code when its responses stop in their middle', async () => {
    trouble({ kind: 'stall' });
    const error = await failureOf(callEngine(open({ timeoutMs: 60_000, silentMs: 300 })));
    expect(error).to.include({ code: 'DEADLINE_EXCEEDED', reason: 'engine_error' });
    expect(engines.calls()).to.have.length(3);
  });

  it('an engine call waits as long as a 429 requests', async () => {
    trouble({ kind: 'status', status: 429, retryAfter: '1' }, 1);
    const begun = performance.now();
    await callEngine();
    expect(performance.now() - begun).to.be.at.least(990);
  });

  it('an engine call that would wait a minute is left to a later try of the job', async () => {
    trouble({ kind: 'status', status: 429, retryAfter: '60' });
    expect(await failureOf(callEngine())).to.have.property('code', 'RESOURCE_EXHAUSTED');
    expect(engines.calls()).to.have.length(1);
  });

  it('an engine call reads a date in retry-after', async () => {
    trouble({ kind: 'status', status: 503, retryAfter: new Date(Date.now() + 3_600_000).toUTCString() });
    await failureOf(callEngine());
    expect(engines.calls()).to.have.length(1);
  });

  const codes = { 401: 'PERMISSION_DENIED', 403: 'PERMISSION_DENIED', 404: 'UNAVAILABLE', 405: 'UNAVAILABLE' } as const;
  for (const status of [400, 401, 403, 404, 405, 413, 422] as const)
    it(`an engine call that is rejected with ${status} is not repeated`, async () => {
      trouble({ kind: 'status', status });
      const code = status in codes ? codes[status as keyof typeof codes] : 'FAILED_PRECONDITION';
      expect(await failureOf(callEngine())).to.include({ code, reason: 'engine_error' });
      expect(engines.calls()).to.have.length(1);
    });

  const wrong: Readonly<Record<string, Fault>> = {
    'a response that is not JSON': { kind: 'no-json' },
    'a response that is too large': { kind: 'huge', bytes: 50_000_000 },
  };
  for (const [what, fault] of Object.entries(wrong)) {
    it(`an engine call is tried once more after ${what}, then fails permanently`, async () => {
      trouble(fault);
      const error = await failureOf(callEngine());
      expect(error).to.include({ code: 'FAILED_PRECONDITION', reason: 'engine_error' });
      expect(error.message).to.match(/^the engine returned an invalid response/);
      expect(engines.calls()).to.have.length(2);
    });

    it(`an engine call tolerates ${what} once`, async () => {
      trouble(fault, 1);
      expect(await callEngine()).to.be.an('array');
    });
  }

  it('an engine call follows no redirect', async () => {
    const elsewhere = await startEngines();
    trouble({ kind: 'redirect', to: `${elsewhere.url}/languages` });
    await failureOf(callEngine());
    expect(elsewhere.calls()).to.have.length(0);
    await elsewhere.close();
  });

  it('an engine call that takes too long is ended and not repeated', async () => {
    trouble({ kind: 'silent' });
    expect(await failureOf(callEngine(open({ timeoutMs: 200 })))).to.have.property('code', 'DEADLINE_EXCEEDED');
    expect(engines.calls()).to.have.length(1);
  });

  it('an engine that replies to nothing any more is unavailable, and no call is at fault', async () => {
    const proxy = await openCuttingProxy();
    proxy.forwardTo(Number(new URL(engines.url).port));
    const call = open({ url: `http://127.0.0.1:${proxy.port}`, timeoutMs: 200 });
    expect(await callEngine(call)).to.be.an('array');
    proxy.dropResponses();
    expect(await failureOf(callEngine(call))).to.have.property('code', 'UNAVAILABLE');
    await proxy.close();
  });

  it('an engine without a listening server is unavailable', async () => {
    const { url } = engines;
    await engines.close();
    const error = await failureOf(callEngine(open({ url })));
    expect(error).to.have.property('code', 'UNAVAILABLE');
    expect(error.message).to.contain('ECONNREFUSED');
    engines = await startEngines();
  });

  it('an aborted engine call throws the signal’s own reason while it runs, waits to retry or is queued', async () => {
    const faults: Fault[] = [{ kind: 'silent' }, { kind: 'status', status: 429, retryAfter: '2' }];
    for (const fault of faults) {
      engines.heal();
      trouble(fault);
      const seen = engines.calls().length;
      const abort = new AbortController();
      const call = open({ concurrency: 1 });
      const both = Promise.allSettled([callEngine(call, abort.signal), callEngine(call, abort.signal)]);
      await until(() => engines.calls().length > seen, { what: 'the call' });
      abort.abort(new Error('no longer wanted'));
      const reasons = (await both).map((one) => one.status === 'rejected' && String(one.reason));
      expect(reasons).to.deep.equal(['Error: no longer wanted', 'Error: no longer wanted']);
    }
  });

  it('an engine call that is aborted in its last try throws the signal’s own reason', async () => {
    trouble({ kind: 'silent' });
    const abort = new AbortController();
    const outcome = callEngine(open({ retry: { ...shortRetry, tries: 1 } }), abort.signal).catch(String);
    await until(() => engines.calls().length === 1, { what: 'the call' });
    abort.abort(new Error('no longer wanted'));
    expect(await outcome).to.equal('Error: no longer wanted');
  });

  it('an engine gets no more concurrent calls than configured', async () => {
    trouble({ kind: 'delay', ms: 30 });
    const call = open({ concurrency: 2 });
    await Promise.all(Array.from({ length: 8 }, () => callEngine(call)));
    expect(engines.mostAtOnce('languages')).to.equal(2);
  });

  it('the slot of an aborted engine call goes to the next call', async () => {
    trouble({ kind: 'silent' }, 1);
    const call = open({ concurrency: 1 });
    const abort = new AbortController();
    const [first, second] = [callEngine(call, abort.signal), callEngine(call)];
    await until(() => engines.calls().length === 1, { what: 'the first call' });
    abort.abort(new Error('enough'));
    await Promise.allSettled([first]);
    expect(await second).to.be.an('array');
  });
});
