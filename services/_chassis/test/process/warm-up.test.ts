import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { requestOwnPort, warmUp } from '../../src/process/warm-up.ts';
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
    expect([calls, most]).to.deep.equal([100, 10]);
  });

  it('a warm-up call that fails is logged once and does not keep the process from serving', async () => {
    let calls = 0;
    const other = async (): Promise<void> => void (calls += 1);
    await warmUp({ log, signal }, { broken: () => Promise.reject(new Error('no table')), other });
    expect(lines.filter((line) => line.includes('no table'))).to.have.length(1);
    expect(calls).to.equal(100);
  });

  it('a warm-up call that hangs does not keep the process from serving, or from stopping', async () => {
    const hang = { hang: () => new Promise<never>(() => {}) };
    await warmUp({ log, signal: AbortSignal.abort() }, hang);
    await warmUp({ log, signal }, hang);
    expect(lines.filter((line) => line.includes('warmed up'))).to.have.length(2);
  }).timeout(30_000);

  it('a request to the own port is read to its end, whatever its status', async () => {
    let seen = '';
    const server = createServer((request, response) => {
      seen = `${request.url} ${request.headers['authorization']}`;
      response.writeHead(401).end('x'.repeat(100_000));
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    await requestOwnPort((server.address() as AddressInfo).port, '/v1/a', { authorization: 'Bearer b' });
    expect(seen).to.equal('/v1/a Bearer b');
    await new Promise((resolve) => server.close(resolve));
  });
});
