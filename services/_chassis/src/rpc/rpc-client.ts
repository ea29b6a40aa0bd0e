/**
 * gRPC clients: promise methods, a deadline on every call, round robin over addresses; where safe, retries and a second
 * attempt of a slow call on another replica. A call ends with the work that makes it (`withSignal`).
 */
import {
  Metadata,
  type ChannelCredentials,
  type Client,
  type ClientUnaryCall,
  type MetadataOptions,
  type requestCallback,
  type ServiceDefinition,
  type ServiceError,
} from '@grpc/grpc-js';
import { secret, type ConfigOf, type ConfigSpec } from '../config/config.ts';
import { tlsConfig } from '../config/tls-files.ts';
import { AppError, codeOfGrpcStatus, messageOf } from '../errors.ts';
import { currentSignal } from '../process/current-signal.ts';
import { channelCredentials } from './credentials.ts';
import { attemptsOfOneCall, otherReplica } from './other-replica.ts';
import { createHedging, type Attempt } from './hedging.ts';
import { currentTraceparent, span, SpanKind } from '../telemetry/telemetry.ts';

export const rpcClientConfig = {
  /** The token that this service calls others with. */
  rpcToken: ['RPC_TOKEN', secret],
  ...tlsConfig,
} as const satisfies ConfigSpec;

/** The unary methods of a generated client `C`, as promise functions. */
export type RpcMethods<C> = {
  readonly [K in keyof C as K extends string ? (K extends Capitalize<K> ? K : never) : never]: C[K] extends (
    argument: infer Request,
    callback: requestCallback<infer Reply>,
  ) => ClientUnaryCall
    ? (request: Request, options?: { readonly timeoutMs?: number }) => Promise<Reply>
    : never;
};

type ClientConstructor<C extends Client> = {
  new (address: string, credentials: ChannelCredentials, options: object): C;
  readonly service: ServiceDefinition;
};

type ClientOptions = {
  /** For example `dns:///catalog:7000`. */
  readonly target: string;
  readonly config: ConfigOf<typeof rpcClientConfig>;
  readonly timeoutMs?: number;
  /**
   * Methods that are retried when the server is unavailable, and also sent to a second replica when a third of their
   * time has passed without a reply.
   */
  readonly idempotent?: readonly string[];
  /** Interval of the keepalive pings; without a reply for half of it the connection is closed. */
  readonly pingMs?: number;
};

/** Connects lazily. Methods reject with AppError, with the reason and details sent by the server. */
export function rpcClient<C extends Client>(Constructor: ClientConstructor<C>, options: ClientOptions) {
  const { target, config, timeoutMs = 5_000, idempotent = [], pingMs = 10_000 } = options;
  const client = new Constructor(target, channelCredentials(config), {
    'grpc.service_config': serviceConfig(Constructor.service, idempotent),
    // A lost machine does not close its connections: without pings they would keep getting their share of the calls.
    'grpc.keepalive_time_ms': pingMs,
    'grpc.keepalive_timeout_ms': pingMs / 2,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 2_000,
    // The default of 30 s is longer than a rolling update takes to replace every replica whose address is known.
    'grpc.dns_min_time_between_resolutions_ms': 1_000,
  });
  const hedge = createHedging();
  const invoke =
    (path: string, name: string) =>
    (request: unknown, call: { timeoutMs?: number } = {}) =>
      span(
        path,
        { 'rpc.system': 'grpc' },
        () => {
          const callMs = call.timeoutMs ?? timeoutMs;
          const deadline = Date.now() + callMs;
          const traceparent = currentTraceparent();
          const attempt = (options: MetadataOptions) => (): Attempt<unknown> => {
            const metadata = new Metadata(options);
            metadata.set('x-service-token', config.rpcToken);
            if (traceparent !== undefined) metadata.set('traceparent', traceparent);
            return send(client, { path, name, request, metadata, deadline });
          };
          const { first, second } = attemptsOfOneCall();
          if (!idempotent.includes(name)) return attempt(first)().reply;
          return hedge(attempt(first), attempt(second), callMs / 3);
        },
        SpanKind.CLIENT,
      );
  const methods = Object.entries(Constructor.service).map(([name, { path }]) => [name, invoke(path, name)]);
  return {
    ...(Object.fromEntries(methods) as RpcMethods<C>),
    close: async (): Promise<void> => client.close(),
  };
}

type UnaryMethod = (
  request: unknown,
  metadata: Metadata,
  options: { readonly deadline: number },
  callback: requestCallback<unknown>,
) => ClientUnaryCall;

type Sent = {
  readonly path: string;
  readonly name: string;
  readonly request: unknown;
  readonly metadata: Metadata;
  readonly deadline: number;
};

/** Sends a request; the call is cancelled when the work in progress is aborted. */
function send(client: Client, { path, name, request, metadata, deadline }: Sent): Attempt<unknown> {
  const signal = currentSignal();
  signal?.throwIfAborted();
  const method = (client as unknown as Record<string, UnaryMethod>)[name] as UnaryMethod;
  const { promise: reply, resolve, reject } = Promise.withResolvers<unknown>();
  const call = method.call(client, request, metadata, { deadline }, (error, found) => {
    signal?.removeEventListener('abort', cancel);
    if (signal?.aborted) reject(signal.reason);
    else if (error) reject(toAppError(error, path));
    else resolve(found);
  });
  const cancel = (): void => call.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  return { reply, cancel };
}

/** gRFC A6: https://github.com/grpc/proposal/blob/master/A6-client-retries.md */
function serviceConfig(definition: ServiceDefinition, idempotent: readonly string[]): string {
  const serviceName = Object.values(definition)[0]?.path.split('/')[1];
  const retryPolicy = {
    maxAttempts: 4,
    initialBackoff: '0.05s',
    maxBackoff: '1s',
    backoffMultiplier: 3,
    retryableStatusCodes: ['UNAVAILABLE'],
  };
  return JSON.stringify({
    loadBalancingConfig: [otherReplica],
    // gRFC A6: while most calls fail none is retried: retries would only add to an overload.
    retryThrottling: { maxTokens: 100, tokenRatio: 0.5 },
    methodConfig:
      idempotent.length > 0
        ? [{ name: idempotent.map((method) => ({ service: serviceName, method })), retryPolicy }]
        : [],
  });
}

function toAppError(error: ServiceError, path: string): AppError {
  const reason = error.metadata?.get('vds-reason')[0];
  const code = codeOfGrpcStatus(error.code);
  const unreachable = code === 'UNAVAILABLE' || code === 'DEADLINE_EXCEEDED';
  return new AppError(code, unreachable ? `${path}: ${messageOf(error)}` : error.details, {
    cause: error,
    ...(reason !== undefined && { reason: String(reason) }),
    details: error.metadata ? detailsOf(error.metadata) : {},
  });
}

function detailsOf(metadata: Metadata): Record<string, string> {
  const sent = metadata.get('vds-details')[0];
  return sent === undefined ? {} : (JSON.parse(decodeURIComponent(String(sent))) as Record<string, string>);
}
