/**
 * The table of services: what each needs from servers and other services, and which ports it opens. Whether a service
 * uses NATS, and for what, is only in proto/events.ts.
 */

import type { StageOwner } from '@vds/proto/stages';

/** The ports of a service; every process also has the admin port (health and metrics). */
export type PortName = 'http' | 'rpc' | 'adminRpc';

export type ServiceRow = {
  /** Has its own database. */
  readonly database: boolean;
  readonly ownsBuckets: readonly BucketRole[];
  readonly readsBuckets: readonly BucketRole[];
  readonly ports: readonly PortName[];
  /** Services whose RPC it calls; auth, by whose keys it verifies staff's tokens on its admin port. */
  readonly peers: readonly ServiceName[];
  /** Keeps its documents in OpenSearch. */
  readonly search?: boolean;
  /** The platform's apps call its RPC. */
  readonly apps?: boolean;
};

export type BucketRole = 'sources' | 'media' | 'captions' | 'analytics';
export type ServiceName = StageOwner | 'auth' | 'catalog' | 'indexer' | 'playback' | 'analytics' | 'gateway';

export const services = {
  auth: { database: true, ownsBuckets: [], readsBuckets: [], ports: ['rpc', 'adminRpc'], peers: [], apps: true },
  catalog: {
    database: true,
    ownsBuckets: [],
    readsBuckets: [],
    ports: ['rpc', 'adminRpc'],
    peers: ['auth'],
    apps: true,
  },
  ingest: {
    database: true,
    ownsBuckets: ['sources'],
    readsBuckets: [],
    ports: ['adminRpc'],
    peers: ['auth', 'catalog'],
  },
  transcode: {
    database: true,
    ownsBuckets: ['media'],
    readsBuckets: ['sources'],
    ports: ['rpc', 'adminRpc'],
    peers: ['auth'],
  },
  captions: {
    database: true,
    ownsBuckets: ['captions'],
    readsBuckets: ['media'],
    ports: ['rpc', 'adminRpc'],
    peers: ['auth', 'catalog'],
    apps: true,
  },
  metadata: {
    database: true,
    ownsBuckets: [],
    readsBuckets: ['media', 'captions'],
    ports: ['rpc', 'adminRpc'],
    peers: ['auth', 'catalog'],
    apps: true,
  },
  indexer: {
    database: false,
    ownsBuckets: [],
    readsBuckets: ['captions'],
    ports: ['rpc', 'adminRpc'],
    peers: ['auth', 'catalog', 'metadata'],
    search: true,
    apps: true,
  },
  playback: {
    database: false,
    ownsBuckets: [],
    readsBuckets: ['media', 'captions'],
    ports: ['http'],
    peers: ['auth', 'catalog', 'transcode'],
  },
  analytics: {
    database: true,
    ownsBuckets: ['analytics'],
    readsBuckets: [],
    ports: ['adminRpc'],
    peers: ['auth', 'catalog'],
  },
  gateway: {
    database: false,
    ownsBuckets: [],
    readsBuckets: [],
    ports: ['http'],
    peers: ['auth', 'catalog'],
  },
} as const satisfies Record<ServiceName, ServiceRow>;

export const serviceNames = Object.keys(services) as ServiceName[];
export const bucketRoles: readonly BucketRole[] = ['sources', 'media', 'captions', 'analytics'];

/** The operator as a caller: vdsctl, which may call every service with an RPC port. */
export const OPERATOR = 'vdsctl';

/** The platform's apps as a caller: they search, recommend and let viewers play, from outside of the release. */
export const APPS = 'apps';

/** The callers whose tokens this service accepts. */
export function callersOf(service: ServiceName): string[] {
  const peers = serviceNames.filter((name) => rowOf(name).peers.includes(service));
  return [...peers, ...(rowOf(service).apps === true ? [APPS] : []), OPERATOR];
}

/** Whether it serves gRPC, to other services or to the operator. */
export function servesRpc(service: ServiceName): boolean {
  const { ports } = rowOf(service);
  return ports.includes('rpc') || ports.includes('adminRpc');
}

/** The row with its literal types widened. */
export function rowOf(service: ServiceName): ServiceRow {
  return services[service];
}
