import { createHash } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { expect } from 'chai';
import { transcode } from '@vds/proto';
import type { TranscodeServiceHandlers } from '@vds/proto/generated/vds/transcode/v1/TranscodeService.ts';
import { AppError } from '../../src/errors.ts';
import { withSignal } from '../../src/process/current-signal.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { bindEverywhere, serveRpc, service, type Methods } from '../../src/rpc/rpc.ts';
import { rpcClient } from '../../src/rpc/rpc-client.ts';
import { currentTraceparent, inTrace, startTelemetry } from '../../src/telemetry/telemetry.ts';
import { openCuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { freePort } from '@vds/testkit/servers/free-port';
import { until } from '@vds/testkit/until';
import { createLogger } from '../../src/telemetry/log.ts';

const noTls = { tlsCertFile: undefined, tlsKeyFile: undefined, tlsCaFile: undefined };
const silent = createLogger('test', 'error', { write: () => {} });
function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

describe('rpc', () => {
  const open: { close: () => Promise<unknown> }[] = [];
  before(() => startTelemetry('test', undefined));
  afterEach(async () => {
    for (const part of open.splice(0).toReversed()) await part.close();
  });

  type GetLadder = Methods<TranscodeServiceHandlers>['GetLadder'];
  const serve = async (GetLadder: GetLadder, port = 0): Promise<string> => {
    const server = await serveRpc({
      port,
      services: [
        service<TranscodeServiceHandlers>(
          transcode.TranscodeService.service,
          { GetLadder: ['friend'], GetPreview: [] },
          { GetLadder, GetPreview: async () => ({}) },
        ),
      ],
      log: silent,
      metrics: createMetrics('test'),
      config: { rpcCallers: [`friend=${digest('t1')}`, `stranger=${digest('t2')}`], ...noTls },
    });
    open.push(server);
    return `dns:///127.0.0.1:${server.port}`;
  };
  const client = (
    target: string,
    rpcToken = 't1',
    more: { timeoutMs?: number; idempotent?: string[]; pingMs?: number } = {},
  ) => {
    const made = rpcClient(transcode.TranscodeService, { target, config: { rpcToken, ...noTls }, ...more });
    open.push(made);
    return made;
  };
  const failure = (work: Promise<unknown>): Promise<AppError> =>
    work.then(
      () => {
        throw new Error('it succeeded');
      },
      (error: AppError) => error,
    );

  it('a method receives the request and the name of the caller', async () => {
    const target = await serve(async ({ videoId }, { caller }) => ({
      videoId: `${videoId} for ${caller}`,
      durationMs: 9_007_199_254,
    }));
    expect(await client(target).GetLadder({ videoId: 'a' })).to.include({
      videoId: 'a for friend',
      durationMs: 9_007_199_254,
    });
  });

  it('an error keeps its code, message, reason and details', async () => {
    const target = await serve(() =>
      Promise.reject(
        new AppError('FAILED_PRECONDITION', 'not now – später', { reason: 'held', details: { by: 'opérateur' } }),
      ),
    );
    const error = await failure(client(target).GetLadder({ videoId: 'a' }));
    expect(error).to.be.instanceOf(AppError);
    const { code, message, reason, details } = error as AppError;
    expect({ code, message, reason, details }).to.deep.equal({
      code: 'FAILED_PRECONDITION',
      message: 'not now – später',
      reason: 'held',
      details: { by: 'opérateur' },
    });
  });

  it('an unexpected error reveals nothing to the caller', async () => {
    const target = await serve(() => Promise.reject(new Error('password is hunter2')));
    const error = await failure(client(target).GetLadder({ videoId: 'a' }));
    expect(error).to.include({ code: 'INTERNAL', message: 'internal error' });
  });

  it('an unknown token is UNAUTHENTICATED, a caller without permission PERMISSION_DENIED', async () => {
    const target = await serve(async () => ({}));
    expect(await failure(client(target, 'unknown').GetLadder({}))).to.have.property('code', 'UNAUTHENTICATED');
    expect(await failure(client(target, 't2').GetLadder({}))).to.have.property('code', 'PERMISSION_DENIED');
  });

  it('a call ends at its deadline', async () => {
    const target = await serve(() => new Promise(() => {}));
    expect(await failure(client(target, 't1', { timeoutMs: 200 }).GetLadder({}))).to.have.property(
      'code',
      'DEADLINE_EXCEEDED',
    );
  });

  it('a call ends at its deadline while its connection is silent', async () => {
    const wire = await openCuttingProxy();
    open.push(wire);
    wire.forwardTo(Number((await serve(async () => ({ videoId: 'here' }))).split(':').at(-1)));
    wire.dropResponses();
    const made = client(`dns:///127.0.0.1:${wire.port}`, 't1', { idempotent: ['GetLadder'], timeoutMs: 500 });
    expect(await failure(made.GetLadder({}))).to.have.property('code', 'DEADLINE_EXCEEDED');
  });

  it('a call ends at once with the abort reason of the work around it, also on the server', async () => {
    const { promise: cancelled, resolve } = Promise.withResolvers<number>();
    const target = await serve(async (_request, { leftMs }) => {
      resolve(await until(() => leftMs() === 0 && 1, { what: 'the server sees the cancellation' }));
      return {};
    });
    const abort = new AbortController();
    const call = withSignal(abort.signal, () => client(target, 't1', { timeoutMs: 60_000 }).GetLadder({}));
    setTimeout(() => abort.abort(new AppError('ABORTED', 'the lease was lost')), 100);
    expect(await failure(call)).to.have.property('message', 'the lease was lost');
    expect(await cancelled).to.equal(1);
  });

  it('a method sees the time left until the deadline', async () => {
    const target = await serve(async (_request, { leftMs }) => ({ durationMs: Math.ceil(leftMs()) }));
    const { durationMs } = await client(target, 't1', { timeoutMs: 20_000 }).GetLadder({ videoId: 'a' });
    expect(durationMs).to.be.within(1, 20_000);
  });

  it('an idempotent call is retried until the server is available', async () => {
    const port = await freePort();
    const made = client(`dns:///127.0.0.1:${port}`, 't1', { idempotent: ['GetLadder'], timeoutMs: 5_000 });
    expect(await failure(made.GetLadder({}, { timeoutMs: 100 }))).to.be.instanceOf(AppError);
    await serve(async () => ({ videoId: 'late' }), port);
    expect(await made.GetLadder({})).to.include({ videoId: 'late' });
  });

  it('a connection without replies to pings is closed, even if the peer never closes it', async () => {
    const wire = await openCuttingProxy();
    open.push(wire);
    wire.forwardTo(Number((await serve(async () => ({ videoId: 'here' }))).split(':').at(-1)));
    const made = client(`dns:///127.0.0.1:${wire.port}`, 't1', { pingMs: 1_000, timeoutMs: 200 });
    expect(await made.GetLadder({}, { timeoutMs: 5_000 })).to.include({ videoId: 'here' });
    wire.dropResponses();
    wire.passNewConnections();
    expect(await failure(made.GetLadder({}))).to.have.property('code', 'DEADLINE_EXCEEDED');
    const answer = () => made.GetLadder({});
    expect(await until(answer, { what: 'a reply over another connection', capMs: 10_000 })).to.include({
      videoId: 'here',
    });
  });

  it('the server listens on IPv4 and, if available, IPv6', async () => {
    const port = (await serve(async () => ({ videoId: 'here' }))).split(':').at(-1);
    const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'));
    for (const target of [`ipv4:127.0.0.1:${port}`, ...(hasIpv6 ? [`ipv6:[::1]:${port}`] : [])])
      expect(await client(target).GetLadder({})).to.include({ videoId: 'here' });
  });

  it('the server listens on IPv4 only if the kernel has no IPv6', async () => {
    const server = new Server();
    const real = server.bindAsync.bind(server);
    server.bindAsync = (address, tls, done) =>
      address.startsWith('[')
        ? done(new Error('listen EAFNOSUPPORT: address family not supported'), 0)
        : real(address, tls, done);
    const port = await bindEverywhere(server, 0, ServerCredentials.createInsecure());
    server.forceShutdown();
    expect(port).to.be.greaterThan(0);
  });

  it('the trace of the caller continues in the method', async () => {
    let seen: string | undefined;
    const target = await serve(async () => {
      seen = currentTraceparent();
      return {};
    });
    const sent = await inTrace(undefined, 'test', {}, async () => {
      await client(target).GetLadder({});
      return currentTraceparent();
    });
    expect(seen?.split('-')[1]).to.equal(sent?.split('-')[1]);
  });
});
