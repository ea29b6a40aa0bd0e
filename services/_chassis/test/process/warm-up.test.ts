import { expect } from 'chai';
import { warmUp } from '../../src/process/warm-up.ts';
import { createLogger } from '../../src/telemetry/log.ts';

describe('the warm-up of a process', () => {
  const lines: string[] = [];
  const log = createLogger('test', 'info', { write: (line) => void lines.push(line) });
  beforeEach(() => void lines.splice(0));
  const { signal } = new AbortController();

  it('the warm-up makes every call many times, on as many connections as a pool has', async () => {
    let [calls, open, most] = [0, 0, 0];
    const call = async (): Promise<void> => {
      calls += 1;
      most = Math.max(most, (open += 1));
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
    };
    await warmUp({ log, signal }, { one: call, other: async () => undefined });
    expect([calls, most]).to.deep.equal([50, 10]);
  });

  it('a warm-up call that fails is logged once and does not keep the process from serving', async () => {
    let calls = 0;
    const other = async (): Promise<void> => void (calls += 1);
    await warmUp({ log, signal }, { broken: () => Promise.reject(new Error('no table')), other });
    expect(lines.filter((line) => line.includes('no table'))).to.have.length(1);
    expect(calls).to.equal(50);
  });

  it('a warm-up call that hangs does not keep the process from serving, or from stopping', async () => {
    const hang = { hang: () => new Promise<never>(() => {}) };
    await warmUp({ log, signal: AbortSignal.abort() }, hang);
    await warmUp({ log, signal }, hang);
    expect(lines.filter((line) => line.includes('warmed up'))).to.have.length(2);
  }).timeout(30_000);
});
