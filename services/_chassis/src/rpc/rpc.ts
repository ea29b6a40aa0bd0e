/**
 * gRPC servers: plain async functions behind generated definitions, one error mapping, callers told apart by their
 * service token, deadlines, traces and metrics.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { setImmediate as arrived } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  Metadata,
  Server,
  status,
  type handleUnaryCall,
  type ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type StatusObject,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import { serverCredentials, tlsConfig } from './certificates.ts';
import { commaSeparated, integer, secret, withDefault, type ConfigOf, type ConfigSpec } from '../config/config.ts';
import { AppError, errorTable, messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { inTrace, SpanKind } from '../telemetry/telemetry.ts';

export const rpcServerConfig = {
  rpcPort: ['RPC_PORT', withDefault(integer(0, 65_535), 0)],
  rpcCallers: ['RPC_CALLERS', commaSeparated],
  ...tlsConfig,
} as const satisfies ConfigSpec;

/** For services that serve their admin verbs on a port of their own. */
export const adminRpcConfig = {
  adminRpcPort: ['ADMIN_RPC_PORT', withDefault(integer(0, 65_535), 0)],
} as const satisfies ConfigSpec;

export const rpcClientConfig = { rpcToken: ['RPC_TOKEN', secret], ...tlsConfig } as const satisfies ConfigSpec;

/** The unary methods of generated handlers `H`, as plain async functions. */
export type Methods<H> = {
  [K in keyof H as string extends K ? never : K]: H[K] extends handleUnaryCall<infer Request, infer Reply>
    ? (request: Request, call: Call) => Promise<Reply>
    : never;
};

/** What a method knows of its call beside the request. */
export type Call = {
  /** The calling service. */
  readonly caller: string;
  /** How long the caller still waits, in milliseconds; Infinity for one without a deadline. */
  readonly leftMs: () => number;
};

export type Served = {
  readonly definition: ServiceDefinition;
  readonly methods: Readonly<Record<string, (request: never, call: Call) => Promise<unknown>>>;
  /** Which services may call which method. */
  readonly callers: Readonly<Record<string, readonly string[]>>;
};

type ServeOptions = {
  readonly port: number;
  readonly services: readonly Served[];
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly config: ConfigOf<typeof rpcServerConfig>;
};

/** Ties handlers to a definition and says who may call what; every method must have its callers. */
export function service<H>(
  definition: ServiceDefinition,
  callers: { readonly [K in keyof Methods<H>]: readonly string[] },
  methods: Methods<H>,
): Served {
  return { definition, methods: methods as Served['methods'], callers };
}

/** Serves gRPC on `port` (0 picks a free one). `close` lets running calls end. */
export async function serveRpc(options: ServeOptions) {
  const server = new Server({
    'grpc.max_connection_age_ms': 60_000,
    'grpc.max_connection_age_grace_ms': 30_000,
    'grpc.max_receive_message_length': 4 * 1024 * 1024,
  });
  const caller = callerOf(options.config.rpcCallers);
  const seconds = rpcSeconds(options.metrics);
  for (const served of options.services) {
    const methods = Object.entries(served.definition).map(([name, { path }]) => [
      name,
      adapt(options, caller, path, name, served, seconds),
    ]);
    server.addService(served.definition, Object.fromEntries(methods) as UntypedServiceImplementation);
  }
  const health = new HealthImplementation({ '': 'SERVING' });
  health.addToServer(server);
  const port = await bindEverywhere(server, options.port, serverCredentials(options.config));
  return {
    port,
    close: async (): Promise<void> => {
      health.setStatus('', 'NOT_SERVING');
      const graceful = promisify(server.tryShutdown.bind(server))();
      const forced = setTimeout(() => server.forceShutdown(), 10_000);
      await graceful.catch((error: unknown) =>
        options.log.warn({ reason: messageOf(error) }, 'RPC calls were cut off'),
      );
      clearTimeout(forced);
    },
  };
}

/** Finds the caller of a token among `name=<sha256 hex of its token>` entries. UNAUTHENTICATED when there is none. */
function callerOf(entries: readonly string[]) {
  const known = entries.map((entry) => {
    const [name = '', digest = ''] = entry.split('=');
    return { name, digest: Buffer.from(digest, 'hex') };
  });
  return (metadata: Metadata): string => {
    const digest = sha256(String(metadata.get('x-service-token')[0] ?? ''));
    const match = known.find((entry) => entry.digest.length === digest.length && timingSafeEqual(entry.digest, digest));
    if (!match) throw new AppError('UNAUTHENTICATED', 'the service token is missing or unknown');
    return match.name;
  };
}

function sha256(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}

/** One histogram a process, however many servers it has. */
function rpcSeconds(metrics: Metrics) {
  return (
    (metrics.registry.getSingleMetric('vds_rpc_server_seconds') as ReturnType<Metrics['histogram']> | undefined) ??
    metrics.histogram<string>('vds_rpc_server_seconds', 'Time to answer an RPC', ['method', 'code'])
  );
}

function adapt(
  options: ServeOptions,
  caller: (metadata: Metadata) => string,
  path: string,
  name: string,
  served: Served,
  seconds: ReturnType<Metrics['histogram']>,
): handleUnaryCall<never, unknown> {
  const method = served.methods[name] as Served['methods'][string];
  const allowed = served.callers[name] ?? [];
  const answer = async (call: ServerUnaryCall<never, unknown>): Promise<unknown> => {
    const from = caller(call.metadata);
    if (!allowed.includes(from)) throw new AppError('PERMISSION_DENIED', `${from} may not call ${path}`);
    // What nobody waits for any more must not happen: the caller was told that it failed, or has asked elsewhere. After a
    // standstill the cancellation lies behind the call in what has arrived: all of that is read first.
    await arrived();
    const deadline = Number(call.getDeadline());
    const leftMs = (): number => (call.cancelled ? 0 : deadline - Date.now());
    if (leftMs() <= 0) throw new AppError('DEADLINE_EXCEEDED', 'the caller waits no longer');
    return method(call.request, { caller: from, leftMs });
  };
  return (call, callback) => {
    const stop = seconds.startTimer({ method: path });
    inTrace(
      String(call.metadata.get('traceparent')[0] ?? ''),
      path,
      { 'rpc.system': 'grpc' },
      () => answer(call),
      SpanKind.SERVER,
    ).then(
      (reply) => {
        stop({ code: 'OK' });
        callback(null, reply);
      },
      (error: unknown) => {
        stop({ code: error instanceof AppError ? error.code : 'INTERNAL' });
        if (!(error instanceof AppError)) options.log.error({ err: error, method: path }, 'an RPC failed');
        callback(toStatus(error));
      },
    );
  };
}

function toStatus(error: unknown): Partial<StatusObject> {
  if (!(error instanceof AppError)) return { code: status.INTERNAL, details: 'internal error' };
  const metadata = new Metadata();
  if (error.reason !== undefined) metadata.set('vds-reason', error.reason);
  if (Object.keys(error.details).length > 0)
    metadata.set('vds-details', encodeURIComponent(JSON.stringify(error.details)));
  return { code: errorTable[error.code].grpc, details: error.message, metadata };
}

/** IPv6 and IPv4 at one socket, as the HTTP servers have it; IPv4 alone where the kernel has no IPv6. */
export async function bindEverywhere(server: Server, port: number, tls: ServerCredentials): Promise<number> {
  const bind = promisify(server.bindAsync.bind(server));
  try {
    return await bind(`[::]:${port}`, tls);
  } catch (error) {
    if (!/EAFNOSUPPORT|EADDRNOTAVAIL/.test(messageOf(error))) throw error;
    return bind(`0.0.0.0:${port}`, tls);
  }
}
