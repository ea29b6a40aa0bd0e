/** Fakes of catalog and metadata: gRPC servers on a real socket with the test's data. */
import type { CatalogServiceHandlers } from '@vds/proto/generated/vds/catalog/v1/CatalogService.ts';
import type { Clip } from '@vds/proto/generated/vds/catalog/v1/Clip.ts';
import type { Track } from '@vds/proto/generated/vds/captions/v1/Track.ts';
import type { VideoState } from '@vds/proto/generated/vds/catalog/v1/VideoState.ts';
import type { Metadata } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';
import type { MetadataServiceHandlers } from '@vds/proto/generated/vds/metadata/v1/MetadataService.ts';
import { AppError } from '@vds/chassis/errors';
import type { Methods } from '@vds/chassis/rpc/rpc';
import { serveFakePeers } from '@vds/testkit/harness/fake-peers';
import { tokenOf } from '@vds/testkit/harness/rpc-callers';

export const RPC_TOKEN = tokenOf('indexer');

export type FakeVideo = {
  readonly version: number;
  readonly seq: number;
  readonly live: boolean;
  readonly state: VideoState;
  readonly clip?: Clip;
  readonly tracks: Track[];
};
export type FakeData = ReturnType<typeof newFakeData>;

/** The data of both fakes; tests change it while they run. */
export function newFakeData() {
  const videos = new Map<string, FakeVideo>();
  const found = new Map<string, Metadata>();
  let seq = 0;
  const put = (id: string, video: Omit<FakeVideo, 'seq' | 'version'>): number => {
    const version = (videos.get(id)?.version ?? 0) + 1;
    seq += 1;
    videos.delete(id);
    videos.set(id, { ...video, version, seq });
    return version;
  };
  return {
    videos,
    metadata: found,
    /** True: catalog's list is empty, like that of a wrong or half restored database. */
    hidden: false,
    /** How often each method was called. */
    calls: { indexable: 0, list: 0, metadata: 0 },
    /** Called before a service replies. */
    beforeReply: async (_method: string, _videoId: string): Promise<void> => {},
    /** Makes a video live, or changes it; returns its new version. */
    publish: (clip: Clip & { readonly videoId: string }, tracks: Track[] = []): number =>
      put(clip.videoId, { live: true, state: 'VIDEO_STATE_READY', clip, tracks }),
    /** Removes a video; returns its new version. */
    hide: (id: string, state: VideoState = 'VIDEO_STATE_ARCHIVED'): number =>
      put(id, { live: false, state, tracks: [] }),
  };
}

/** Serves both fakes on one port. */
export function serveFakes(data: FakeData, port: number) {
  return serveFakePeers('indexer', { catalog: catalogOf(data), metadata: metadataOf(data) }, port);
}

function catalogOf(data: FakeData): Partial<Methods<CatalogServiceHandlers>> {
  return {
    GetIndexable: async ({ videoId }) => {
      data.calls.indexable += 1;
      const video = data.videos.get(videoId);
      await data.beforeReply('GetIndexable', videoId);
      if (!video) throw new AppError('NOT_FOUND', 'no such video');
      const { version, live, clip, tracks } = video;
      return { videoId, version, live, tracks, ...(live && clip && { clip }) };
    },
    ListVideos: async ({ afterVersionSeq, limit }) => {
      data.calls.list += 1;
      await data.beforeReply('ListVideos', '');
      const all = data.hidden ? [] : [...data.videos];
      const later = all.filter(([, { seq }]) => seq > afterVersionSeq).slice(0, limit);
      const videos = later.map(([videoId, { state, version, seq: versionSeq }]) => ({
        videoId,
        state,
        version,
        attempt: 1,
        versionSeq,
      }));
      return { videos, settledVersionSeq: Math.max(0, ...[...data.videos.values()].map(({ seq }) => seq)) };
    },
  };
}

function metadataOf(data: FakeData): Partial<Methods<MetadataServiceHandlers>> {
  return {
    GetMetadata: async ({ videoId }) => {
      data.calls.metadata += 1;
      await data.beforeReply('GetMetadata', videoId);
      const found = data.metadata.get(videoId);
      if (!found) throw new AppError('NOT_FOUND', 'no metadata yet');
      return found;
    },
  };
}
