import { expect } from 'chai';
import { pause, singleFlight, withTimeout } from '../src/async.ts';

describe('promise helpers', () => {
  it('a pause ends early when its signal aborts, and at once when it already has', async () => {
    const abort = new AbortController();
    const startedAt = performance.now();
    const waiting = pause(60_000, abort.signal);
    abort.abort();
    await waiting;
    await pause(60_000, abort.signal);
    expect(performance.now() - startedAt).to.be.below(5_000);
  });

  it('work that takes longer than its timeout is rejected, and other results pass unchanged', async () => {
    const late = withTimeout(new Promise(() => {}), 10).catch((error: Error) => error.message);
    expect(await late).to.equal('no answer within 10 ms');
    expect(await withTimeout(Promise.resolve(7), 1_000)).to.equal(7);
    const failed = withTimeout(Promise.reject(new Error('broken')), 1_000).catch((error: Error) => error.message);
    expect(await failed).to.equal('broken');
  });

  it('concurrent calls with one key share one run, and a later call starts another', async () => {
    const runs: string[] = [];
    const run = singleFlight(async (key) => {
      runs.push(key);
      await Promise.resolve();
      return runs.length;
    });
    expect(await Promise.all([run('a'), run('a'), run('b')])).to.deep.equal([2, 2, 2]);
    expect(await run('a')).to.equal(3);
    expect(runs).to.deep.equal(['a', 'b', 'a']);
  });

  it('a failed run is not remembered', async () => {
    let runs = 0;
    const run = singleFlight(async () => {
      runs += 1;
      if (runs === 1) throw new Error('broken');
      return runs;
    });
    expect(await run().catch((error: Error) => error.message)).to.equal('broken');
    expect(await run()).to.equal(2);
  });
});
