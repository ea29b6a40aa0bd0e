/** gRPC: the metadata of a video, for other services and operators. */
import { metadata } from '@vds/proto';
import type { MetadataOut } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';
import type { MetadataServiceHandlers } from '@vds/proto/generated/vds/metadata/v1/MetadataService.ts';
import { service, type Served } from '@vds/chassis/rpc/rpc';

/** Reads the metadata of a video; throws NOT_FOUND. */
export type Find = (videoId: string) => Promise<MetadataOut>;

/** Of the RPC port and of the admin port. */
export function metadataService(find: Find): Served {
  return service<MetadataServiceHandlers>(
    metadata.MetadataService.service,
    { GetMetadata: ['indexer', 'vdsctl'] },
    { GetMetadata: ({ videoId }) => find(videoId) },
  );
}
