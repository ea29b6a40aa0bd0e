/** The gRPC clients of one run of vdsctl: admin ports, each connected when a command first uses it. */
import { analytics, auth, captions, catalog, deadLetters, indexer, metadata, transcode, worker } from '@vds/proto';
import type { AnalyticsAdminClient } from '@vds/proto/generated/vds/analytics/v1/AnalyticsAdmin.ts';
import type { AuthAdminClient } from '@vds/proto/generated/vds/auth/v1/AuthAdmin.ts';
import type { AuthServiceClient } from '@vds/proto/generated/vds/auth/v1/AuthService.ts';
import type { CaptionsAdminClient } from '@vds/proto/generated/vds/captions/v1/CaptionsAdmin.ts';
import type { CaptionsServiceClient } from '@vds/proto/generated/vds/captions/v1/CaptionsService.ts';
import type { CatalogAdminClient } from '@vds/proto/generated/vds/catalog/v1/CatalogAdmin.ts';
import type { CatalogServiceClient } from '@vds/proto/generated/vds/catalog/v1/CatalogService.ts';
import type { DeadLetterAdminClient } from '@vds/proto/generated/vds/common/v1/DeadLetterAdmin.ts';
import type { IndexerAdminClient } from '@vds/proto/generated/vds/indexer/v1/IndexerAdmin.ts';
import type { MetadataServiceClient } from '@vds/proto/generated/vds/metadata/v1/MetadataService.ts';
import type { TranscodeServiceClient } from '@vds/proto/generated/vds/transcode/v1/TranscodeService.ts';
import type { WorkerAdminClient } from '@vds/proto/generated/vds/common/v1/WorkerAdmin.ts';
import { AppError } from '@vds/chassis/errors';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { durableConsumers } from '@vds/proto/events';
import { stageOwners } from '@vds/proto/stages';
import { addressVariable, type ConnectionConfig } from '../config.ts';
import { explainConnectionErrors } from './connection-errors.ts';

export type AdminClients = ReturnType<typeof createAdminClients>;

type Closable = { readonly close: () => Promise<void> };
type Target = { readonly target: string; readonly config: ConnectionConfig; readonly timeoutMs: number };

/**
 * Creates the clients, which connect lazily. A client whose address is not configured throws INVALID_ARGUMENT when
 * used.
 */
export function createAdminClients(config: ConnectionConfig) {
  const open: Closable[] = [];
  const lazy = <C extends Closable>(service: string, connect: (target: Target) => C): (() => C) => {
    let client: C | undefined;
    return () => {
      if (client !== undefined) return client;
      const address = addressOf(service, config);
      const peer = { service, address, variable: addressVariable(service) };
      client = explainConnectionErrors(connect({ target: address, config, timeoutMs: 10_000 }), peer);
      open.push(client);
      return client;
    };
  };
  const ofEach = <C extends Closable>(services: readonly string[], connect: (target: Target) => C) => {
    const clients = new Map(services.map((service) => [service, lazy(service, connect)]));
    return (service: string): C => {
      const client = clients.get(service);
      if (!client) throw new AppError('INTERNAL', `${service} is none of ${services.join(', ')}`);
      return client();
    };
  };
  return {
    /** What a service with stages keeps of videos, and its jobs. */
    worker: ofEach(stageOwners, (target) =>
      rpcClient<WorkerAdminClient>(worker.WorkerAdmin, { ...target, timeoutMs: 60_000 }),
    ),
    /** Publishers and keys. */
    keys: lazy('auth', (target) => rpcClient<AuthAdminClient>(auth.AuthAdmin, target)),
    /** Performance data; a query may take a minute. */
    analytics: lazy('analytics', (target) =>
      rpcClient<AnalyticsAdminClient>(analytics.AnalyticsAdmin, { ...target, timeoutMs: 120_000 }),
    ),
    /** Playback tokens. */
    tokens: lazy('auth', (target) => rpcClient<AuthServiceClient>(auth.AuthService, target)),
    /** What videos have in the buckets. */
    inUse: lazy('catalog', (target) => rpcClient<CatalogServiceClient>(catalog.CatalogService, target)),
    videos: lazy('catalog', (target) => rpcClient<CatalogAdminClient>(catalog.CatalogAdmin, target)),
    /** Pictures and sound that players can choose. */
    ladders: lazy('transcode', (target) => rpcClient<TranscodeServiceClient>(transcode.TranscodeService, target)),
    /** Caption tracks. */
    tracks: lazy('captions', (target) => rpcClient<CaptionsServiceClient>(captions.CaptionsService, target)),
    /** Their reruns, and the engines that make them. */
    captions: lazy('captions', (target) => rpcClient<CaptionsAdminClient>(captions.CaptionsAdmin, target)),
    /** Scenes, texts, topics and labels. */
    metadata: lazy('metadata', (target) => rpcClient<MetadataServiceClient>(metadata.MetadataService, target)),
    /** The search index. */
    index: lazy('indexer', (target) => rpcClient<IndexerAdminClient>(indexer.IndexerAdmin, target)),
    /** Messages that a service has given up on. */
    deadLetters: ofEach(durableConsumers, (target) =>
      rpcClient<DeadLetterAdminClient>(deadLetters.DeadLetterAdmin, target),
    ),
    /** The address at which viewers reach a video with a token; undefined if playback's is not configured. */
    playbackAddress: (playbackId: string, token: string): string | undefined =>
      config.playbackUrl && `${config.playbackUrl.replace(/\/$/, '')}/${playbackId}.m3u8?token=${token}`,
    close: async (): Promise<void> => {
      await Promise.all(open.map((client) => client.close()));
    },
  };
}

function addressOf(service: string, { addresses }: ConnectionConfig): string {
  const address = addresses[service];
  if (address === undefined)
    throw new AppError(
      'INVALID_ARGUMENT',
      `${addressVariable(service)} is not set: the admin address of ${service}, such as dns:///127.0.0.1:7001`,
    );
  return address.includes(':///') || address.startsWith('ipv4:') ? address : `dns:///${address}`;
}
