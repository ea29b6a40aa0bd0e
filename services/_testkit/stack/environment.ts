/** The complete environment of one service process, which inherits nothing but PATH, HOME and TMPDIR. */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Servers } from '../servers/servers-file.ts';
import { loginOf } from '@vds/deploy-tools/provision/databases';
import { usesEvents } from '@vds/deploy-tools/provision/nats-account';
import { bucketName, callerEntries, indexPrefix, purposes, userName } from '@vds/deploy-tools/installation';
import type { StackState, Ports } from './state.ts';
import { bucketRoles, callersOf, rowOf, servesRpc, type ServiceName } from '@vds/deploy-tools/services';

export type Environment = Record<string, string>;
type Engines = Pick<Servers, 'speechPython' | 'speechModel' | 'apertium'>;

const compileCache = fileURLToPath(new URL('../../../.vds/compile-cache', import.meta.url));

/** A process before it starts: its name (`transcode-2` for the second replica) and its ports. */
export type PlannedProcess = { readonly name: string; readonly service: ServiceName; readonly ports: Ports };

/** The environment of `one`; `given` (the caller's own variables for this service) takes precedence. */
export function environmentOf(
  servers: Servers,
  state: StackState,
  planned: readonly PlannedProcess[],
  one: PlannedProcess,
  given: Environment = {},
): Environment {
  const inherited = ['PATH', 'HOME', 'TMPDIR'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(inherited),
    LOG_LEVEL: 'info',
    // Caches stripped types and byte code: later starts are faster, and each process uses some 20 MiB less.
    NODE_COMPILE_CACHE: compileCache,
    ...portVariables(one),
    ...stores(servers, state, one.service),
    ...peers(state, planned, one.service),
    ...own(servers, state, planned)[one.service],
    ...given,
  };
}

function portVariables({ ports }: PlannedProcess): Environment {
  const named = { ADMIN_PORT: ports.admin, HTTP_PORT: ports.http, RPC_PORT: ports.rpc, ADMIN_RPC_PORT: ports.adminRpc };
  const open = Object.entries(named).filter(([, port]) => port !== undefined);
  return Object.fromEntries(open.map(([name, port]) => [name, String(port)]));
}

function stores(servers: Servers, state: StackState, service: ServiceName): Environment {
  const env: Environment = {};
  const row = rowOf(service);
  if (row.database) {
    const { url, password } = loginOf(servers, state, service, 'runtime');
    Object.assign(env, { DATABASE_URL: url, DATABASE_PASSWORD: password });
  }
  if (usesEvents(service)) {
    env['NATS_URL'] = servers.nats.url;
    env['NATS_USER'] = userName(state.name, service);
    env['NATS_PASSWORD'] = state.secret(purposes.nats(service));
  }
  const buckets = bucketRoles.filter((role) => row.ownsBuckets.includes(role) || row.readsBuckets.includes(role));
  if (buckets.length > 0) {
    env['S3_ENDPOINT'] = servers.s3.endpoint;
    env['S3_REGION'] = servers.s3.region;
    env['S3_ACCESS_KEY'] = userName(state.name, service);
    env['S3_SECRET_KEY'] = state.secret(purposes.s3(service));
    for (const role of buckets) env[`${role.toUpperCase()}_BUCKET`] = bucketName(state.name, role);
  }
  if (row.search === true) {
    if (servers.opensearch === null) throw new Error('OpenSearch does not run: run `npm run servers -- up`.');
    env['OPENSEARCH_URL'] = servers.opensearch.url;
    env['INDEX_PREFIX'] = indexPrefix(state.name);
    env['INDEX_REPLICAS'] = '0'; // there is one node
  }
  return env;
}

function peers(state: StackState, planned: readonly PlannedProcess[], service: ServiceName): Environment {
  const row = rowOf(service);
  const env: Environment = {};
  for (const peer of row.peers) env[`${peer.toUpperCase()}_RPC`] = rpcTarget(planned, peer, 'rpc');
  if (row.peers.length > 0) env['RPC_TOKEN'] = state.secret(purposes.token(service));
  if (servesRpc(service)) env['RPC_CALLERS'] = callerEntries(state, callersOf(service));
  return env;
}

/** gRPC target of every replica of a service. */
export function rpcTarget(planned: readonly PlannedProcess[], service: ServiceName, port: 'rpc' | 'adminRpc'): string {
  const addresses = planned.filter((one) => one.service === service).map(({ ports }) => `127.0.0.1:${ports[port]}`);
  // A stack without the service: nothing listens there.
  if (addresses.length === 0) return 'dns:///127.0.0.1:1';
  // A host name resolves to one port only: several replicas are listed as addresses.
  return addresses.length === 1 ? `dns:///${addresses[0]}` : `ipv4:${addresses.join(',')}`;
}

/** Variables of single services; each has a working value for a stack on loopback. */
function own(
  servers: Servers,
  state: StackState,
  planned: readonly PlannedProcess[],
): Partial<Record<ServiceName, Environment>> {
  const confined = { CONFINE_PATH: servers.confine };
  return {
    auth: {
      KEY_PEPPERS: `1:${key(state, 'pepper')}`,
      SIGNING_KEY_SECRET: key(state, 'signing key secret'),
    },
    gateway: { PLAYBACK_PUBLIC_URL: httpUrl(planned, 'playback') },
    // As in pods: what they read is short-lived; a small young generation keeps garbage small.
    ingest: { NODE_OPTIONS: '--max-semi-space-size=4' },
    analytics: { NODE_OPTIONS: '--max-semi-space-size=4' },
    transcode: programs({ ...confined, FFMPEG_PATH: servers.ffmpeg }),
    captions: programs({
      ...confined,
      FFMPEG_PATH: servers.ffmpeg,
      ...engineVariables(servers),
    }),
    metadata: programs({ ...confined, FFMPEG_PATH: servers.ffmpeg, EMBEDDINGS_FOLDER: servers.embeddings }),
    indexer: programs({ ...confined, EMBEDDINGS_FOLDER: servers.embeddings }),
  };
}

/** Paths of the embedded engines, for captions. */
export function engineVariables({ speechPython, speechModel }: Engines): Environment {
  return programs({ SPEECH_PYTHON: speechPython, SPEECH_MODEL: speechModel });
}

/** 32 bytes in base64, constant for the stack's whole life. */
function key(state: StackState, what: string): string {
  return createHash('sha256')
    .update(state.secret(purposes.own('auth', what)))
    .digest('base64');
}

/** Base URL of the first replica's HTTP endpoint. */
export function httpUrl(planned: readonly PlannedProcess[], service: ServiceName): string {
  return `http://127.0.0.1:${planned.find((one) => one.service === service)?.ports.http}`;
}

/** Paths of the programs that services start; a missing one is left to the service's own default. */
function programs(paths: Readonly<Record<string, string | null | undefined>>): Environment {
  return Object.fromEntries(
    Object.entries(paths).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
