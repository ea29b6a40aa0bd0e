import { expect } from 'chai';
import { setImmediate } from 'node:timers/promises';
import { currentSignal, withSignal } from '../../src/process/current-signal.ts';

describe('the signal of the work in progress', () => {
  it('the signal reaches everything that the work calls, and nothing else', async () => {
    const { signal } = new AbortController();
    const seen = withSignal(signal, async () => {
      await setImmediate();
      return currentSignal();
    });
    expect(currentSignal()).to.equal(undefined);
    expect(await seen).to.equal(signal);
  });

  it('the signal of inner work aborts with its own and with the outer one', () => {
    const [outer, inner, own] = [new AbortController(), new AbortController(), new AbortController()];
    const signalOf = ({ signal }: AbortController) => withSignal(signal, currentSignal) ?? expect.fail('no signal');
    const [first, second] = withSignal(outer.signal, () => [signalOf(inner), signalOf(own)] as const);
    inner.abort(new Error('the inner reason'));
    expect((first.reason as Error).message).to.equal('the inner reason');
    expect(second.aborted).to.equal(false);
    outer.abort(new Error('the outer reason'));
    expect((second.reason as Error).message).to.equal('the outer reason');
  });
});
