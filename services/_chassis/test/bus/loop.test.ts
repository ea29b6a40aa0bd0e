import { expect } from 'chai';
import { forever } from '../../src/bus/loop.ts';
import { createLogger } from '../../src/telemetry/log.ts';

describe('a loop over JetStream', () => {
  it('that keeps failing logs one line a minute, for as long as it does', async () => {
    const lines: string[] = [];
    const log = createLogger('test', 'info', { write: (line) => void lines.push(line) });
    const stopping = new AbortController();
    // How many lines there were at each failure; they are half a minute apart.
    const before: number[] = [];
    const deps = { log, signal: stopping.signal, isUp: () => true, now: () => before.length * 30_001 };
    await forever(deps, 'counting', async () => {
      before.push(lines.length);
      if (before.length === 7) stopping.abort();
      throw new Error('heartbeats missed');
    });
    expect(before).to.deep.equal([0, 1, 1, 2, 2, 3, 3]);
  }).timeout(10_000);
});
