/**
 * THE event table: every subject that crosses NATS, its message, its one owner and who hears it how.
 *
 * A `request` is said again until its last fact is heard; a `fact` is in the past tense and said once per cause.
 * `durable` hearers get every message once per service; `watch` hearers get every message once per replica, from now on.
 */
import { loadSync, type MessageTypeDefinition } from '@grpc/proto-loader';
import type { CaptionsCompleted, CaptionsCompletedOut } from './generated/vds/captions/v1/CaptionsCompleted.ts';
import type { TracksChanged, TracksChangedOut } from './generated/vds/captions/v1/TracksChanged.ts';
import type { CaptionsRequested, CaptionsRequestedOut } from './generated/vds/catalog/v1/CaptionsRequested.ts';
import type { EncodeRequested, EncodeRequestedOut } from './generated/vds/catalog/v1/EncodeRequested.ts';
import type { FetchRequested, FetchRequestedOut } from './generated/vds/catalog/v1/FetchRequested.ts';
import type { InspectRequested, InspectRequestedOut } from './generated/vds/catalog/v1/InspectRequested.ts';
import type { MetadataRequested, MetadataRequestedOut } from './generated/vds/catalog/v1/MetadataRequested.ts';
import type { PurgeRequested, PurgeRequestedOut } from './generated/vds/catalog/v1/PurgeRequested.ts';
import type { VideoCancelled, VideoCancelledOut } from './generated/vds/catalog/v1/VideoCancelled.ts';
import type { VideoChanged, VideoChangedOut } from './generated/vds/catalog/v1/VideoChanged.ts';
import type { StageFailed, StageFailedOut } from './generated/vds/common/v1/StageFailed.ts';
import type { StageProgressed, StageProgressedOut } from './generated/vds/common/v1/StageProgressed.ts';
import type { StageStarted, StageStartedOut } from './generated/vds/common/v1/StageStarted.ts';
import type { VideoPurged, VideoPurgedOut } from './generated/vds/common/v1/VideoPurged.ts';
import type { FetchCompleted, FetchCompletedOut } from './generated/vds/ingest/v1/FetchCompleted.ts';
import type { MetadataCompleted, MetadataCompletedOut } from './generated/vds/metadata/v1/MetadataCompleted.ts';
import type { AudioCompleted, AudioCompletedOut } from './generated/vds/transcode/v1/AudioCompleted.ts';
import type { EncodeCompleted, EncodeCompletedOut } from './generated/vds/transcode/v1/EncodeCompleted.ts';
import type { InspectCompleted, InspectCompletedOut } from './generated/vds/transcode/v1/InspectCompleted.ts';
import { loaderOptions } from './loader-options.ts';

export type Hearing = 'durable' | 'watch';

/** One row of the table, with the codec of its message. */
export type EventType<In, Out> = {
  readonly subject: string;
  /** Full protobuf name of the message. */
  readonly message: string;
  readonly owner: string;
  readonly kind: 'fact' | 'request';
  readonly hearers: Readonly<Record<string, Hearing>>;
  readonly encode: (payload: In) => Uint8Array;
  readonly decode: (data: Uint8Array) => Out;
};

const definitions = loadSync(
  ['catalog', 'ingest', 'transcode', 'captions', 'metadata'].map((owner) => `vds/${owner}/v1/${owner}_events.proto`),
  loaderOptions,
);

const event = <In, Out>(
  subject: string,
  message: string,
  kind: 'fact' | 'request',
  hearers: Readonly<Record<string, Hearing>>,
): EventType<In, Out> => {
  const type = definitions[message] as unknown as MessageTypeDefinition<In, Out>;
  return {
    subject,
    message,
    owner: subject.slice(0, subject.indexOf('.')),
    kind,
    hearers,
    encode: type.serialize,
    decode: (data) => type.deserialize(Buffer.from(data)),
  };
};

const toCatalog = { catalog: 'durable' } as const;

export const events = {
  fetchRequested: event<FetchRequested, FetchRequestedOut>(
    'catalog.fetch.requested.v1',
    'vds.catalog.v1.FetchRequested',
    'request',
    { ingest: 'durable' },
  ),
  inspectRequested: event<InspectRequested, InspectRequestedOut>(
    'catalog.inspect.requested.v1',
    'vds.catalog.v1.InspectRequested',
    'request',
    { transcode: 'durable' },
  ),
  encodeRequested: event<EncodeRequested, EncodeRequestedOut>(
    'catalog.encode.requested.v1',
    'vds.catalog.v1.EncodeRequested',
    'request',
    { transcode: 'durable' },
  ),
  captionsRequested: event<CaptionsRequested, CaptionsRequestedOut>(
    'catalog.captions.requested.v1',
    'vds.catalog.v1.CaptionsRequested',
    'request',
    { captions: 'durable' },
  ),
  metadataRequested: event<MetadataRequested, MetadataRequestedOut>(
    'catalog.metadata.requested.v1',
    'vds.catalog.v1.MetadataRequested',
    'request',
    { metadata: 'durable' },
  ),
  videoCancelled: event<VideoCancelled, VideoCancelledOut>(
    'catalog.video.cancelled.v1',
    'vds.catalog.v1.VideoCancelled',
    'fact',
    { ingest: 'watch', transcode: 'watch', captions: 'watch', metadata: 'watch' },
  ),
  videoChanged: event<VideoChanged, VideoChangedOut>(
    'catalog.video.changed.v1',
    'vds.catalog.v1.VideoChanged',
    'fact',
    { playback: 'watch', indexer: 'durable' },
  ),
  purgeRequested: event<PurgeRequested, PurgeRequestedOut>(
    'catalog.purge.requested.v1',
    'vds.catalog.v1.PurgeRequested',
    'request',
    { ingest: 'durable', transcode: 'durable', captions: 'durable', metadata: 'durable', indexer: 'durable' },
  ),

  fetchStarted: event<StageStarted, StageStartedOut>(
    'ingest.fetch.started.v1',
    'vds.common.v1.StageStarted',
    'fact',
    toCatalog,
  ),
  fetchProgressed: event<StageProgressed, StageProgressedOut>(
    'ingest.fetch.progressed.v1',
    'vds.common.v1.StageProgressed',
    'fact',
    toCatalog,
  ),
  fetchCompleted: event<FetchCompleted, FetchCompletedOut>(
    'ingest.fetch.completed.v1',
    'vds.ingest.v1.FetchCompleted',
    'fact',
    toCatalog,
  ),
  fetchFailed: event<StageFailed, StageFailedOut>(
    'ingest.fetch.failed.v1',
    'vds.common.v1.StageFailed',
    'fact',
    toCatalog,
  ),
  ingestVideoPurged: event<VideoPurged, VideoPurgedOut>(
    'ingest.video.purged.v1',
    'vds.common.v1.VideoPurged',
    'fact',
    toCatalog,
  ),

  inspectStarted: event<StageStarted, StageStartedOut>(
    'transcode.inspect.started.v1',
    'vds.common.v1.StageStarted',
    'fact',
    toCatalog,
  ),
  inspectCompleted: event<InspectCompleted, InspectCompletedOut>(
    'transcode.inspect.completed.v1',
    'vds.transcode.v1.InspectCompleted',
    'fact',
    toCatalog,
  ),
  inspectFailed: event<StageFailed, StageFailedOut>(
    'transcode.inspect.failed.v1',
    'vds.common.v1.StageFailed',
    'fact',
    toCatalog,
  ),
  encodeStarted: event<StageStarted, StageStartedOut>(
    'transcode.encode.started.v1',
    'vds.common.v1.StageStarted',
    'fact',
    toCatalog,
  ),
  encodeProgressed: event<StageProgressed, StageProgressedOut>(
    'transcode.encode.progressed.v1',
    'vds.common.v1.StageProgressed',
    'fact',
    toCatalog,
  ),
  audioCompleted: event<AudioCompleted, AudioCompletedOut>(
    'transcode.audio.completed.v1',
    'vds.transcode.v1.AudioCompleted',
    'fact',
    toCatalog,
  ),
  encodeCompleted: event<EncodeCompleted, EncodeCompletedOut>(
    'transcode.encode.completed.v1',
    'vds.transcode.v1.EncodeCompleted',
    'fact',
    toCatalog,
  ),
  encodeFailed: event<StageFailed, StageFailedOut>(
    'transcode.encode.failed.v1',
    'vds.common.v1.StageFailed',
    'fact',
    toCatalog,
  ),
  transcodeVideoPurged: event<VideoPurged, VideoPurgedOut>(
    'transcode.video.purged.v1',
    'vds.common.v1.VideoPurged',
    'fact',
    toCatalog,
  ),

  captionsStarted: event<StageStarted, StageStartedOut>(
    'captions.captions.started.v1',
    'vds.common.v1.StageStarted',
    'fact',
    toCatalog,
  ),
  captionsProgressed: event<StageProgressed, StageProgressedOut>(
    'captions.captions.progressed.v1',
    'vds.common.v1.StageProgressed',
    'fact',
    toCatalog,
  ),
  tracksChanged: event<TracksChanged, TracksChangedOut>(
    'captions.tracks.changed.v1',
    'vds.captions.v1.TracksChanged',
    'fact',
    toCatalog,
  ),
  captionsCompleted: event<CaptionsCompleted, CaptionsCompletedOut>(
    'captions.captions.completed.v1',
    'vds.captions.v1.CaptionsCompleted',
    'fact',
    toCatalog,
  ),
  captionsFailed: event<StageFailed, StageFailedOut>(
    'captions.captions.failed.v1',
    'vds.common.v1.StageFailed',
    'fact',
    toCatalog,
  ),
  captionsVideoPurged: event<VideoPurged, VideoPurgedOut>(
    'captions.video.purged.v1',
    'vds.common.v1.VideoPurged',
    'fact',
    toCatalog,
  ),

  metadataStarted: event<StageStarted, StageStartedOut>(
    'metadata.metadata.started.v1',
    'vds.common.v1.StageStarted',
    'fact',
    toCatalog,
  ),
  metadataProgressed: event<StageProgressed, StageProgressedOut>(
    'metadata.metadata.progressed.v1',
    'vds.common.v1.StageProgressed',
    'fact',
    toCatalog,
  ),
  metadataCompleted: event<MetadataCompleted, MetadataCompletedOut>(
    'metadata.metadata.completed.v1',
    'vds.metadata.v1.MetadataCompleted',
    'fact',
    toCatalog,
  ),
  metadataFailed: event<StageFailed, StageFailedOut>(
    'metadata.metadata.failed.v1',
    'vds.common.v1.StageFailed',
    'fact',
    toCatalog,
  ),
  metadataVideoPurged: event<VideoPurged, VideoPurgedOut>(
    'metadata.video.purged.v1',
    'vds.common.v1.VideoPurged',
    'fact',
    toCatalog,
  ),

  indexerVideoPurged: event<VideoPurged, VideoPurgedOut>(
    'indexer.video.purged.v1',
    'vds.common.v1.VideoPurged',
    'fact',
    toCatalog,
  ),
} as const;
