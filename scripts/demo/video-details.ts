/** The operator's view of a video besides the partner's record: its stages, and the metadata found in it. */
import { catalog, metadata } from '@vds/proto';
import type { CatalogAdminClient } from '@vds/proto/generated/vds/catalog/v1/CatalogAdmin.ts';
import type { StageStatusOut } from '@vds/proto/generated/vds/catalog/v1/StageStatus.ts';
import type { MetadataServiceClient } from '@vds/proto/generated/vds/metadata/v1/MetadataService.ts';
import type { MetadataOut } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';
import { AppError } from '@vds/chassis/errors';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { OPERATOR } from '@vds/deploy-tools/services';
import { tlsOf, type PlatformServices } from './discovery.ts';

export type VideoDetails = {
  /** Stages in order; metadata is null until the video is described. `id` without `vid_`. */
  readonly read: (id: string) => Promise<{ stages: readonly StageStatusOut[]; metadata: MetadataOut | null }>;
  readonly close: () => Promise<void>;
};

/** Details from running services. */
export function videoDetailsOf(services: PlatformServices): VideoDetails {
  const config = { rpcToken: services.tokens[OPERATOR], ...tlsOf(services) };
  const videos = rpcClient<CatalogAdminClient>(catalog.CatalogAdmin, {
    target: services.rpc('catalog', 'adminRpc'),
    config,
    idempotent: ['ShowVideo'],
  });
  const described = rpcClient<MetadataServiceClient>(metadata.MetadataService, {
    target: services.rpc('metadata', 'adminRpc'),
    config,
    idempotent: ['GetMetadata'],
  });
  const metadataOf = async (videoId: string): Promise<MetadataOut | null> => {
    try {
      return await described.GetMetadata({ videoId });
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  };
  return {
    read: async (videoId) => {
      const [{ stages }, found] = await Promise.all([videos.ShowVideo({ videoId }), metadataOf(videoId)]);
      return { stages, metadata: found };
    },
    close: async () => {
      await Promise.all([videos.close(), described.close()]);
    },
  };
}
