import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { transcode } from '@vds/proto';
import type { TranscodeServiceHandlers } from '@vds/proto/generated/vds/transcode/v1/TranscodeService.ts';
import { until } from '@vds/testkit/until';
import { AppError, notFound } from '../../src/errors.ts';
import { rpcClient } from '../../src/rpc/rpc-client.ts';
import { serveRpc, service, type Methods } from '../../src/rpc/rpc.ts';
import { createHedging } from '../../src/rpc/hedging.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

type Method = Methods<TranscodeServiceHandlers>['GetLadder'];

const noTls = { tlsCertFile: undefined, tlsKeyFile: undefined, tlsCaFile: undefined };
const callers = [`friend=${createHash('sha256').update('t1').digest('hex')}`];

function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'OK',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
}

describe('hedging of calls', () => {
  const open: { close: () => Promise<unknown> }[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((part) => part.close()));
  });

  const serve = async (GetLadder: Method): Promise<number> => {
    const server = await serveRpc({
      port: 0,
      services: [
        service<TranscodeServiceHandlers>(
          transcode.TranscodeService.service,
          { GetLadder: ['friend'], GetPreview: [] },
          { GetLadder, GetPreview: async () => ({}) },
        ),
      ],
      log: createLogger('test', 'error', { write: () => {} }),
      metrics: createMetrics('test'),
      config: { rpcCallers: callers, ...noTls },
    });
    open.unshift(server);
    return server.port;
  };
  /** A client of all replicas, connected to each. */
  const clientOf = async (ports: readonly number[], seen: () => number, options: object) => {
    const target = `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(',')}`;
    const client = rpcClient(transcode.TranscodeService, { target, config: { rpcToken: 't1', ...noTls }, ...options });
    open.unshift(client);
    await until(
      async () => {
        await codeOf(client.GetLadder({ videoId: 'probe' }, { timeoutMs: 1_000 }));
        return seen() === ports.length;
      },
      { what: 'the client reaches every replica' },
    );
    return client;
  };
  /** Replicas that reply to probes, and to everything else by `behaviours`. */
  const replicas = async (options: object, ...behaviours: readonly Method[]) => {
    const probed = new Set<number>();
    const calls = behaviours.map(() => 0);
    const ports = await Promise.all(
      behaviours.map((behaviour, index) =>
        serve(async (request, call) => {
          if (request.videoId === 'probe') {
            probed.add(index);
            return {};
          }
          calls[index] = (calls[index] ?? 0) + 1;
          return behaviour(request, call);
        }),
      ),
    );
    return { client: await clientOf(ports, () => probed.size, options), calls };
  };
  const hangs: Method = () => new Promise(() => {});
  const replies: Method = async ({ videoId }) => ({ videoId });
  const idempotent = { idempotent: ['GetLadder'], timeoutMs: 3_000 };

  it('every call is answered while one of two replicas hangs, however many run at once', async () => {
    const { client, calls } = await replicas(idempotent, hangs, replies);
    const ids = Array.from({ length: 60 }, (_, n) => `v${n}`);
    const answers = await Promise.all(ids.map((videoId) => client.GetLadder({ videoId })));
    expect(answers.map(({ videoId }) => videoId)).to.deep.equal(ids);
    // Both attempts of a call on the same replica would have hung.
    expect(calls[0]).to.be.greaterThan(0);
    expect(calls[1]).to.equal(60);
  });

  it('an error of the second replica is the answer', async () => {
    const { client } = await replicas(idempotent, hangs, () => Promise.reject(notFound('the ladder')));
    const codes = await Promise.all([1, 2, 3, 4].map((n) => codeOf(client.GetLadder({ videoId: `v${n}` }))));
    expect(codes).to.deep.equal(Array.from({ length: 4 }, () => 'NOT_FOUND'));
  });

  it('a slow first attempt still counts if the second is not answered, and an unanswered call fails', async () => {
    const attempt = () => {
      const { promise: reply, resolve, reject } = Promise.withResolvers<string>();
      const unanswered = (): void => reject(new AppError('UNAVAILABLE', 'going down'));
      return { reply, resolve, unanswered, cancel: unanswered };
    };
    const outcomeOf = async (end: (first: ReturnType<typeof attempt>) => void): Promise<string> => {
      const [first, second] = [attempt(), attempt()];
      const startSecond = () => {
        second.unanswered();
        setTimeout(() => end(first), 50);
        return second;
      };
      return codeOf(createHedging()(() => first, startSecond, 10));
    };
    expect(await outcomeOf((first) => first.resolve('late'))).to.equal('OK');
    expect(await outcomeOf((first) => first.unanswered())).to.equal('UNAVAILABLE');
  });

  it('a call is sent to a second replica only if it is marked idempotent', async () => {
    const { client, calls } = await replicas({ timeoutMs: 1_500 }, hangs, hangs);
    expect(await codeOf(client.GetLadder({ videoId: 'v1' }))).to.equal('DEADLINE_EXCEEDED');
    expect(calls.reduce((sum, count) => sum + count, 0)).to.equal(1);
  });

  it('a call is not sent twice to the only replica', async () => {
    const { client, calls } = await replicas({ ...idempotent, timeoutMs: 2_000 }, hangs);
    expect(await codeOf(client.GetLadder({ videoId: 'v1' }))).to.equal('DEADLINE_EXCEEDED');
    expect(calls).to.deep.equal([1]);
  });

  it('while every replica is slow, at most eight second attempts of a client run at a time', async () => {
    const running = new Map<string, number>();
    let doubled = 0;
    let most = 0;
    const slow: Method = async ({ videoId }, { leftMs }) => {
      const attempts = (running.get(videoId) ?? 0) + 1;
      running.set(videoId, attempts);
      if (attempts === 2) most = Math.max(most, (doubled += 1));
      await until(() => leftMs() <= 0, { what: 'the caller has gone', everyMs: 10 });
      if (attempts === 2) doubled -= 1;
      return {};
    };
    const { client } = await replicas({ ...idempotent, timeoutMs: 2_000 }, slow, slow);
    const calls = Array.from({ length: 40 }, (_, n) => codeOf(client.GetLadder({ videoId: `v${n}` })));
    await Promise.all(calls);
    expect(running.size).to.equal(40);
    expect(most).to.equal(8);
  });
});
