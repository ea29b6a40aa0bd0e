import { expect } from 'chai';
import { createGate } from '../src/gate.ts';

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}

describe('engine gate', () => {
  it('the gate admits every waiting call, at whatever moment an earlier one is aborted', async () => {
    for (let moment = 0; moment < 12; moment += 1) {
      const gate = createGate(1);
      const first = Promise.withResolvers<void>();
      const inside = gate(new AbortController().signal, () => first.promise);
      const abort = new AbortController();
      const leaving = gate(abort.signal, async () => 'in').catch(() => 'gone');
      const waiting = gate(new AbortController().signal, async () => 'in');
      first.resolve();
      await turns(moment);
      abort.abort(new Error('enough'));
      await Promise.all([inside, leaving]);
      const timeout = new Promise((resolve) => setTimeout(() => resolve('timed out'), 50).unref());
      expect(await Promise.race([waiting, timeout]), `moment ${moment}`).to.equal('in');
    }
  });
});
