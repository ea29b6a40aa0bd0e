/**
 * THE table of the house's services: what each one needs from the servers and from its peers, and which doors it opens.
 * Whether a service uses NATS, and for what, is said by proto/events.ts alone.
 */

/** Where a process can be reached; every process has the admin port (health and metrics) beside these. */
export type Door = 'http' | 'rpc' | 'adminRpc';

export type ServiceRow = {
  /** Has a database of its own. */
  readonly database: boolean;
  readonly ownsBuckets: readonly BucketRole[];
  readonly readsBuckets: readonly BucketRole[];
  readonly doors: readonly Door[];
  /** Services whose RPC it calls. */
  readonly peers: readonly ServiceName[];
  /** Keeps its documents in OpenSearch, under the house's prefix. */
  readonly search?: boolean;
};

export type BucketRole = 'sources' | 'media' | 'captions';
export type ServiceName =
  | 'auth'
  | 'catalog'
  | 'ingest'
  | 'transcode'
  | 'captions'
  | 'metadata'
  | 'indexer'
  | 'playback'
  | 'gateway';

export const services = {
  auth: { database: true, ownsBuckets: [], readsBuckets: [], doors: ['rpc', 'adminRpc'], peers: [] },
  catalog: {
    database: true,
    ownsBuckets: [],
    readsBuckets: [],
    doors: ['rpc', 'adminRpc'],
    peers: [],
  },
  ingest: { database: true, ownsBuckets: ['sources'], readsBuckets: [], doors: [], peers: [] },
  transcode: {
    database: true,
    ownsBuckets: ['media'],
    readsBuckets: ['sources'],
    doors: ['rpc'],
    peers: [],
  },
  captions: {
    database: true,
    ownsBuckets: ['captions'],
    readsBuckets: ['media'],
    doors: ['rpc', 'adminRpc'],
    peers: [],
  },
  metadata: {
    database: true,
    ownsBuckets: [],
    readsBuckets: ['media', 'captions'],
    doors: ['rpc', 'adminRpc'],
    peers: ['catalog'],
  },
  indexer: {
    database: false,
    ownsBuckets: [],
    readsBuckets: ['captions'],
    doors: ['rpc', 'adminRpc'],
    peers: ['catalog', 'metadata'],
    search: true,
  },
  playback: {
    database: false,
    ownsBuckets: [],
    readsBuckets: ['media', 'captions'],
    doors: ['http'],
    peers: ['auth', 'catalog'],
  },
  gateway: {
    database: false,
    ownsBuckets: [],
    readsBuckets: [],
    doors: ['http'],
    peers: ['auth', 'catalog'],
  },
} as const satisfies Record<ServiceName, ServiceRow>;

export const serviceNames = Object.keys(services) as ServiceName[];
export const bucketRoles: readonly BucketRole[] = ['sources', 'media', 'captions'];

/** The operator's own caller: vdsctl and the tools that stand in for it may call every service that answers. */
export const OPERATOR = 'vdsctl';

/** Who may show a token to this service. */
export function callersOf(service: ServiceName): string[] {
  return [...serviceNames.filter((name) => rowOf(name).peers.includes(service)), OPERATOR];
}

/** The row with its literal types widened. */
export function rowOf(service: ServiceName): ServiceRow {
  return services[service];
}
