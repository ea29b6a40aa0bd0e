/** The gRPC clients of one run of vdsctl: admin ports, each connected when a command first uses it. */
import { auth, captions, catalog, indexer, metadata, worker } from '@vds/proto';
import type { AuthAdminClient } from '@vds/proto/generated/vds/auth/v1/AuthAdmin.ts';
import type { AuthServiceClient } from '@vds/proto/generated/vds/auth/v1/AuthService.ts';
import type { CaptionsAdminClient } from '@vds/proto/generated/vds/captions/v1/CaptionsAdmin.ts';
import type { CatalogAdminClient } from '@vds/proto/generated/vds/catalog/v1/CatalogAdmin.ts';
import type { IndexerAdminClient } from '@vds/proto/generated/vds/indexer/v1/IndexerAdmin.ts';
import type { MetadataAdminClient } from '@vds/proto/generated/vds/metadata/v1/MetadataAdmin.ts';
import type { WorkerAdminClient } from '@vds/proto/generated/vds/common/v1/WorkerAdmin.ts';
import { AppError } from '@vds/chassis/errors';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { ADDRESS_VARIABLES, type AdminService, type ConnectionConfig } from '../config.ts';
import { explainConnectionErrors } from './connection-errors.ts';

/** The services with stages, in the order of the pipeline. */
export const workers = ['ingest', 'transcode', 'captions', 'metadata'] as const;
export type WorkerName = (typeof workers)[number];
export type AdminClients = ReturnType<typeof createAdminClients>;

type Closable = { readonly close: () => Promise<void> };
type Target = { readonly target: string; readonly config: ConnectionConfig; readonly timeoutMs: number };

/**
 * Creates the clients, which connect lazily. A client whose address is not configured throws INVALID_ARGUMENT when
 * used.
 */
export function createAdminClients(config: ConnectionConfig) {
  const open: Closable[] = [];
  const lazy = <C extends Closable>(service: AdminService, connect: (target: Target) => C): (() => C) => {
    let client: C | undefined;
    return () => {
      if (client !== undefined) return client;
      const address = addressOf(service, config);
      const peer = { service, address, variable: ADDRESS_VARIABLES[service] };
      client = explainConnectionErrors(connect({ target: address, config, timeoutMs: 10_000 }), peer);
      open.push(client);
      return client;
    };
  };
  const workerOf = (service: WorkerName) =>
    lazy(service, (target) => rpcClient<WorkerAdminClient>(worker.WorkerAdmin, { ...target, timeoutMs: 60_000 }));
  const workerClients = {
    ingest: workerOf('ingest'),
    transcode: workerOf('transcode'),
    captions: workerOf('captions'),
    metadata: workerOf('metadata'),
  };
  return {
    /** What a service with stages keeps of videos, and its jobs. */
    worker: (service: WorkerName) => workerClients[service](),
    /** Publishers and keys. */
    keys: lazy('auth', (target) => rpcClient<AuthAdminClient>(auth.AuthAdmin, target)),
    /** Playback tokens. */
    tokens: lazy('auth', (target) => rpcClient<AuthServiceClient>(auth.AuthService, target)),
    videos: lazy('catalog', (target) => rpcClient<CatalogAdminClient>(catalog.CatalogAdmin, target)),
    /** Caption tracks and the engines that make them. */
    tracks: lazy('captions', (target) => rpcClient<CaptionsAdminClient>(captions.CaptionsAdmin, target)),
    /** Scenes, texts, topics and labels. */
    metadata: lazy('metadata', (target) => rpcClient<MetadataAdminClient>(metadata.MetadataAdmin, target)),
    /** The search index. */
    index: lazy('indexer', (target) => rpcClient<IndexerAdminClient>(indexer.IndexerAdmin, target)),
    close: async (): Promise<void> => {
      await Promise.all(open.map((client) => client.close()));
    },
  };
}

function addressOf(service: AdminService, config: ConnectionConfig): string {
  const address = config[service];
  if (address === undefined)
    throw new AppError(
      'INVALID_ARGUMENT',
      `${ADDRESS_VARIABLES[service]} is not set: the admin address of ${service}, such as dns:///127.0.0.1:7001`,
    );
  return address.includes(':///') || address.startsWith('ipv4:') ? address : `dns:///${address}`;
}
