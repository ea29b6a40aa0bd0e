/** gRPC: the metadata of a video, for other services and operators, and of a live one for the platform's apps. */
import { metadata } from '@vds/proto';
import type { MetadataOut } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';
import type { MetadataServiceHandlers } from '@vds/proto/generated/vds/metadata/v1/MetadataService.ts';
import type { LiveVideos } from '@vds/chassis/cache/live-videos';
import { service, type Served } from '@vds/chassis/rpc/rpc';

type Deps = {
  /** Reads the metadata of a video; throws NOT_FOUND. */
  readonly find: (videoId: string) => Promise<MetadataOut>;
  /** Reads the metadata of a video as apps get it. */
  readonly live: Pick<LiveVideos<MetadataOut>, 'find' | 'read'>;
};

export function metadataService({ find, live }: Deps): Served {
  return service<MetadataServiceHandlers>(
    metadata.MetadataService.service,
    { GetMetadata: ['indexer', 'vdsctl', 'apps'] },
    {
      GetMetadata: async ({ videoId }, { caller }) =>
        caller === 'apps' ? live.read(await live.find(videoId)) : find(videoId),
    },
  );
}

/** On the admin port. */
export function forOperator(served: Served): Served {
  return { ...served, callers: { GetMetadata: ['vdsctl'] } };
}
