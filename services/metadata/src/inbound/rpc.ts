/** gRPC: the metadata of a video, for other services and operators. */
import { metadata } from '@vds/proto';
import type { MetadataAdminHandlers } from '@vds/proto/generated/vds/metadata/v1/MetadataAdmin.ts';
import type { Metadata } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';
import type { MetadataServiceHandlers } from '@vds/proto/generated/vds/metadata/v1/MetadataService.ts';
import { service, type Served } from '@vds/chassis/rpc/rpc';
import type { SavedDocument } from '../outbound/analyses.ts';

/** Reads the metadata of a video; throws NOT_FOUND. */
export type Find = (videoId: string) => Promise<SavedDocument>;

export function metadataService(find: Find): Served {
  return service<MetadataServiceHandlers>(
    metadata.MetadataService.service,
    { GetMetadata: ['indexer', 'vdsctl'] },
    { GetMetadata: async ({ videoId }) => toWire(await find(videoId)) },
  );
}

function toWire({ videoId, attempt, revision, document }: SavedDocument): Metadata {
  return {
    videoId,
    attempt,
    revision,
    hasTranscript: document.hasTranscript,
    scenes: [...document.scenes],
    shots: [...document.shots],
    intervals: [...document.intervals],
    screenTexts: [...document.screenTexts],
    topics: document.topics.map(({ evidence, ...topic }) => ({ ...topic, evidence: [...evidence] })),
    labels: document.labels.map(({ spans, ...label }) => ({ ...label, spans: [...spans] })),
  };
}

export function metadataAdmin(find: Find): Served {
  return service<MetadataAdminHandlers>(
    metadata.MetadataAdmin.service,
    { ShowMetadata: ['vdsctl'] },
    { ShowMetadata: async ({ videoId }) => toWire(await find(videoId)) },
  );
}
