/** gRPC clients: promise methods with a deadline on every call, round robin over addresses, retry only where it is safe. */
import {
  Metadata,
  type ChannelCredentials,
  type Client,
  type ClientUnaryCall,
  type requestCallback,
  type ServiceDefinition,
  type ServiceError,
} from '@grpc/grpc-js';
import { channelCredentials } from './certificates.ts';
import type { ConfigOf } from '../config/config.ts';
import { AppError, codeOfGrpcStatus, messageOf } from '../errors.ts';
import { rpcClientConfig } from './rpc.ts';
import { currentTraceparent, span, SpanKind } from '../telemetry/telemetry.ts';

export { rpcClientConfig };

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
  /** Methods that may be sent again when the server was not reached. */
  readonly idempotent?: readonly string[];
  /** Between two pings of a connection; one without an answer for half of it is given up. */
  readonly pingMs?: number;
};

/** Connects lazily. Methods reject with AppError; reason and details are those that the server gave. */
export function rpcClient<C extends Client>(Constructor: ClientConstructor<C>, options: ClientOptions) {
  const { target, config, timeoutMs = 5_000, idempotent = [], pingMs = 10_000 } = options;
  const client = new Constructor(target, channelCredentials(config), {
    'grpc.service_config': serviceConfig(Constructor.service, idempotent),
    // A peer whose machine is lost closes nothing: without pings it goes on to be given its share of the calls.
    'grpc.keepalive_time_ms': pingMs,
    'grpc.keepalive_timeout_ms': pingMs / 2,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 2_000,
    // The library's 30 s are longer than a rolling update needs to replace every replica whose address is known.
    'grpc.dns_min_time_between_resolutions_ms': 1_000,
  });
  const invoke =
    (path: string, name: string) =>
    (request: unknown, given: { timeoutMs?: number } = {}) =>
      span(
        path,
        { 'rpc.system': 'grpc' },
        () => {
          const metadata = new Metadata();
          metadata.set('x-service-token', config.rpcToken);
          const traceparent = currentTraceparent();
          if (traceparent !== undefined) metadata.set('traceparent', traceparent);
          const deadline = Date.now() + (given.timeoutMs ?? timeoutMs);
          return new Promise<unknown>((resolve, reject) => {
            const send = (client as unknown as Record<string, (...args: unknown[]) => ClientUnaryCall>)[name];
            send?.call(client, request, metadata, { deadline }, (error: ServiceError | null, reply: unknown) =>
              error ? reject(toAppError(error, path)) : resolve(reply),
            );
          });
        },
        SpanKind.CLIENT,
      );
  const methods = Object.entries(Constructor.service).map(([name, { path }]) => [name, invoke(path, name)]);
  return {
    ...(Object.fromEntries(methods) as RpcMethods<C>),
    close: async (): Promise<void> => client.close(),
  };
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
    loadBalancingConfig: [{ round_robin: {} }],
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
