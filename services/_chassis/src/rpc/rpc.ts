/**
 * gRPC servers: plain async functions behind generated definitions, with one error mapping, callers authenticated by
 * their service token, deadlines, traces and metrics.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
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
import { tlsConfig } from '../config/tls-files.ts';
import { serverCredentials } from './credentials.ts';
import { choice, integer, secretList, withDefault, type ConfigOf, type ConfigSpec } from '../config/config.ts';
import { AppError, classify, errorTable, messageOf } from '../errors.ts';
import type { Scope } from '../process/run.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { inTrace, SpanKind } from '../telemetry/telemetry.ts';
import { openStaffVerifier, type staffConfig, type VerifyStaff } from './staff.ts';

/** For services that serve only their admin API. */
export const rpcCallersConfig = {
  /** `<caller>=<SHA-256 of its token>` between commas: who may call. */
  rpcCallers: ['RPC_CALLERS', secretList],
  ...tlsConfig,
} as const satisfies ConfigSpec;

export const rpcServerConfig = {
  /** Port of gRPC for other services; 0: any free one. */
  rpcPort: ['RPC_PORT', withDefault(integer(0, 65_535), 0)],
  ...rpcCallersConfig,
} as const satisfies ConfigSpec;

/** For services that serve their admin API on a separate port. */
export const adminRpcConfig = {
  /** Port of gRPC for operators; 0: any free one. */
  adminRpcPort: ['ADMIN_RPC_PORT', withDefault(integer(0, 65_535), 0)],
  /** `required`: the operator's service token only adds staff and looks for lost objects; all else needs a person's. */
  staffTokens: ['STAFF_TOKENS', withDefault(choice('optional', 'required'), 'optional' as const)],
} as const satisfies ConfigSpec;

/** The unary methods of generated handlers `H`, as plain async functions. */
export type Methods<H> = {
  [K in keyof H as string extends K ? never : K]: H[K] extends handleUnaryCall<infer Request, infer Reply>
    ? (request: Request, call: Call) => Promise<Reply>
    : never;
};

/** What a method receives besides the request. */
export type Call = {
  /** The calling service. */
  readonly caller: string;
  /** The person of the operator's staff, if one called with a token of their own. */
  readonly staff?: string;
  /** Milliseconds until the caller's deadline; Infinity without one. */
  readonly leftMs: () => number;
};

export type Served = {
  readonly definition: ServiceDefinition;
  readonly methods: Readonly<Record<string, (request: never, call: Call) => Promise<unknown>>>;
  /** Which services may call which method. */
  readonly callers: Readonly<Record<string, readonly string[]>>;
  /** Methods that need no person even where staff's tokens are required, by whether the request is such a one. */
  readonly impersonal?: Readonly<Record<string, (request: never) => boolean>>;
};

type ServeOptions = {
  readonly port: number;
  readonly services: readonly Served[];
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly config: ConfigOf<typeof rpcCallersConfig>;
  /** On admin ports: verifies tokens of people. */
  readonly staff?: { readonly verify: VerifyStaff; readonly required: boolean };
};

/** Combines a definition with its methods and their permitted callers; the compiler requires callers for every method. */
export function service<H>(
  definition: ServiceDefinition,
  callers: { readonly [K in keyof Methods<H>]: readonly string[] },
  methods: Methods<H>,
  impersonal: { readonly [K in keyof Methods<H>]?: (request: Parameters<Methods<H>[K]>[0]) => boolean } = {},
): Served {
  return {
    definition,
    methods: methods as Served['methods'],
    callers,
    impersonal: impersonal as NonNullable<Served['impersonal']>,
  };
}

/** A personal token, or the JWT that it is exchanged for. */
const STAFF_TOKEN = /^(svc_staff_|eyJ)/;

/** How long running calls may take when the server closes; those that take longer are cancelled. */
const CLOSE_MS = 5_000;
/** How often a caller's certificate is looked at. */
const CERTIFICATE_EVERY_MS = 60_000;

/** Serves gRPC on `port` (0 picks a free one). `close` waits for running calls. */
export async function serveRpc(options: ServeOptions) {
  const server = new Server({
    'grpc.max_connection_age_ms': 60_000,
    'grpc.max_connection_age_grace_ms': 30_000,
    'grpc.max_receive_message_length': 4 * 1024 * 1024,
  });
  const authenticate = authenticator(options.config.rpcCallers, options.staff?.verify);
  const noteCertificate = callerCertificates(options.metrics);
  const help = 'Time to respond to an RPC';
  const seconds = options.metrics.histogram<string>('vds_rpc_server_seconds', help, ['method', 'code']);
  for (const served of options.services) {
    const methods = Object.entries(served.definition).map(([name, { path }]) => [
      name,
      adapt({ options, authenticate, noteCertificate, seconds, served }, path, name),
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
      const forced = setTimeout(() => server.forceShutdown(), CLOSE_MS);
      await graceful.catch((error: unknown) =>
        options.log.warn({ reason: messageOf(error) }, 'running RPC calls cancelled'),
      );
      clearTimeout(forced);
    },
  };
}

type PortsConfig = typeof rpcServerConfig & typeof adminRpcConfig;
type PortsScope<C extends ConfigSpec = PortsConfig> = Pick<Scope<C>, 'config' | 'log' | 'metrics' | 'own'>;

/** Serves the services of the RPC port and of the admin RPC port; returns both ports, for the log. */
export function serveRpcPorts(
  scope: PortsScope<PortsConfig & typeof staffConfig>,
  services: readonly Served[],
  adminServices: readonly Served[],
) {
  return servePorts(scope, services, adminServices, openStaffVerifier(scope));
}

/** The same for auth, which verifies staff itself. */
export async function servePorts(
  scope: PortsScope,
  services: readonly Served[],
  adminServices: readonly Served[],
  verify: VerifyStaff,
) {
  const { config, log, metrics, own } = scope;
  const { port } = own('rpc', await serveRpc({ port: config.rpcPort, services, log, metrics, config }));
  return { rpc_port: port, ...(await serveAdmin(scope, adminServices, verify)) };
}

type AdminConfig = typeof rpcCallersConfig & typeof adminRpcConfig;

/** Serves the services of the admin RPC port alone. */
export function serveAdminRpc(scope: PortsScope<AdminConfig & typeof staffConfig>, services: readonly Served[]) {
  return serveAdmin(scope, services, openStaffVerifier(scope));
}

async function serveAdmin(
  { config, log, metrics, own }: PortsScope<AdminConfig>,
  services: readonly Served[],
  verify: VerifyStaff,
) {
  const staff = { verify, required: config.staffTokens === 'required' };
  const server = await serveRpc({ port: config.adminRpcPort, services, log, metrics, config, staff });
  return { admin_rpc_port: own('admin rpc', server).port };
}

/** Finds the caller of a token among `name=<sha256 hex of its token>` entries, or as staff; throws UNAUTHENTICATED for others. */
function authenticator(entries: readonly string[], verifyStaff?: VerifyStaff) {
  const known = entries.map((entry) => {
    const [name = '', digest = ''] = entry.split('=');
    return { name, digest: Buffer.from(digest, 'hex') };
  });
  return async (metadata: Metadata): Promise<Pick<Call, 'caller' | 'staff'>> => {
    const token = String(metadata.get('x-service-token')[0] ?? '');
    const digest = createHash('sha256').update(token).digest();
    const match = known.find((entry) => entry.digest.length === digest.length && timingSafeEqual(entry.digest, digest));
    if (match) return { caller: match.name };
    if (verifyStaff && STAFF_TOKEN.test(token)) return { caller: 'vdsctl', staff: await verifyStaff(token) };
    throw new AppError('UNAUTHENTICATED', 'the service token is missing or unknown');
  };
}

/** Reports when the certificates of callers expire: those outside of the release, such as the apps, report nothing. */
function callerCertificates(metrics: Metrics) {
  const help = 'Unix time at which the certificate that a caller presented last expires';
  const gauge = metrics.gauge('vds_rpc_caller_certificate_expires_seconds', help, ['caller']);
  const notedAt = new Map<string, number>();
  return (caller: string, call: Pick<ServerUnaryCall<never, unknown>, 'getAuthContext'>): void => {
    if (performance.now() - (notedAt.get(caller) ?? -Infinity) < CERTIFICATE_EVERY_MS) return;
    notedAt.set(caller, performance.now());
    const expires = call.getAuthContext().sslPeerCertificate?.valid_to;
    if (expires) gauge.set({ caller }, Date.parse(expires) / 1_000);
  };
}

type AdapterDeps = {
  readonly options: ServeOptions;
  readonly authenticate: ReturnType<typeof authenticator>;
  readonly noteCertificate: ReturnType<typeof callerCertificates>;
  readonly seconds: ReturnType<Metrics['histogram']>;
  readonly served: Served;
};

/** A handler for grpc-js that runs the method called `name`. */
function adapt(deps: AdapterDeps, path: string, name: string): handleUnaryCall<never, unknown> {
  const { options, authenticate, noteCertificate, seconds, served } = deps;
  const method = served.methods[name] as Served['methods'][string];
  const allowed = served.callers[name] ?? [];
  const run = async (call: ServerUnaryCall<never, unknown>): Promise<unknown> => {
    const { caller, staff } = await authenticate(call.metadata);
    noteCertificate(caller, call);
    if (!allowed.includes(caller)) throw new AppError('PERMISSION_DENIED', `${caller} may not call ${path}`);
    if (options.staff?.required && staff === undefined && !served.impersonal?.[name]?.(call.request))
      throw new AppError(
        'PERMISSION_DENIED',
        'a personal token is required: ask a colleague for one (vdsctl staff add)',
      );
    // Skip calls whose deadline has passed: the caller has seen a failure, or retried elsewhere. After an event-loop stall
    // the cancel frame may still be queued behind the call: yield once so that it is read first.
    await setImmediate();
    const deadline = Number(call.getDeadline());
    const leftMs = (): number => (call.cancelled ? 0 : deadline - Date.now());
    if (leftMs() <= 0) throw new AppError('DEADLINE_EXCEEDED', 'the deadline has passed');
    return method(call.request, { caller, leftMs, ...(staff !== undefined && { staff }) });
  };
  return (call, callback) => {
    const stop = seconds.startTimer({ method: path });
    inTrace(
      String(call.metadata.get('traceparent')[0] ?? ''),
      path,
      { 'rpc.system': 'grpc' },
      () => run(call),
      SpanKind.SERVER,
    ).then(
      (reply) => {
        stop({ code: 'OK' });
        callback(null, reply);
      },
      (error: unknown) => {
        stop({ code: error instanceof AppError ? error.code : 'INTERNAL' });
        if (!(error instanceof AppError)) options.log.error({ err: error, method: path }, 'RPC failed');
        callback(toStatus(error));
      },
    );
  };
}

function toStatus(error: unknown): Partial<StatusObject> {
  if (!(error instanceof AppError)) {
    // The caller retries later if, for example, our database is unavailable.
    if (classify(error).class === 'dependency') return { code: status.UNAVAILABLE, details: 'temporarily unavailable' };
    return { code: status.INTERNAL, details: 'internal error' };
  }
  const metadata = new Metadata();
  if (error.reason !== undefined) metadata.set('vds-reason', error.reason);
  if (Object.keys(error.details).length > 0)
    metadata.set('vds-details', encodeURIComponent(JSON.stringify(error.details)));
  return { code: errorTable[error.code].grpc, details: error.message, metadata };
}

/** Listens on IPv6 and IPv4, as HTTP servers do; on IPv4 only if the kernel has no IPv6. */
export async function bindEverywhere(server: Server, port: number, tls: ServerCredentials): Promise<number> {
  const bind = promisify(server.bindAsync.bind(server));
  try {
    return await bind(`[::]:${port}`, tls);
  } catch (error) {
    if (!/EAFNOSUPPORT|EADDRNOTAVAIL/.test(messageOf(error))) throw error;
    return bind(`0.0.0.0:${port}`, tls);
  }
}
