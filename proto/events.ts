/**
 * THE event table: every subject on NATS with its message, its one owner and its consumers.
 *
 * A `request` is republished until its terminal event has arrived; a `fact` is in the past tense and published once per
 * cause. `durable` and `batches` consumers receive every message once per service; `watch` consumers receive every new
 * message once per replica.
 */
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
import type { FetchCompleted, FetchCompletedOut } from './generated/vds/ingest/v1/FetchCompleted.ts';
import type { HeadStored, HeadStoredOut } from './generated/vds/ingest/v1/HeadStored.ts';
import type { MetadataCompleted, MetadataCompletedOut } from './generated/vds/metadata/v1/MetadataCompleted.ts';
import type { ViewReported, ViewReportedOut } from './generated/vds/playback/v1/ViewReported.ts';
import type { AudioCompleted, AudioCompletedOut } from './generated/vds/transcode/v1/AudioCompleted.ts';
import type { EncodeCompleted, EncodeCompletedOut } from './generated/vds/transcode/v1/EncodeCompleted.ts';
import type { InspectCompleted, InspectCompletedOut } from './generated/vds/transcode/v1/InspectCompleted.ts';
import { event, fact, failed, progressed, purged, request, started, type EventType } from './event-type.ts';

export type { EventType, Delivery } from './event-type.ts';

export const events = {
  fetchRequested: request<FetchRequested, FetchRequestedOut>(
    'catalog.fetch.requested.v1',
    'vds.catalog.v1.FetchRequested',
    'ingest',
  ),
  inspectRequested: request<InspectRequested, InspectRequestedOut>(
    'catalog.inspect.requested.v1',
    'vds.catalog.v1.InspectRequested',
    'transcode',
  ),
  encodeRequested: request<EncodeRequested, EncodeRequestedOut>(
    'catalog.encode.requested.v1',
    'vds.catalog.v1.EncodeRequested',
    'transcode',
  ),
  captionsRequested: request<CaptionsRequested, CaptionsRequestedOut>(
    'catalog.captions.requested.v1',
    'vds.catalog.v1.CaptionsRequested',
    'captions',
  ),
  metadataRequested: request<MetadataRequested, MetadataRequestedOut>(
    'catalog.metadata.requested.v1',
    'vds.catalog.v1.MetadataRequested',
    'metadata',
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
    {
      ...{ ingest: 'durable', transcode: 'durable', captions: 'durable', metadata: 'durable', indexer: 'durable' },
      analytics: 'durable',
    },
  ),

  fetchStarted: started('ingest.fetch.started.v1'),
  fetchProgressed: progressed('ingest.fetch.progressed.v1'),
  headStored: fact<HeadStored, HeadStoredOut>('ingest.head.stored.v1', 'vds.ingest.v1.HeadStored'),
  fetchCompleted: fact<FetchCompleted, FetchCompletedOut>('ingest.fetch.completed.v1', 'vds.ingest.v1.FetchCompleted'),
  fetchFailed: failed('ingest.fetch.failed.v1'),
  ingestVideoPurged: purged('ingest.video.purged.v1'),

  inspectStarted: started('transcode.inspect.started.v1'),
  inspectCompleted: fact<InspectCompleted, InspectCompletedOut>(
    'transcode.inspect.completed.v1',
    'vds.transcode.v1.InspectCompleted',
  ),
  inspectFailed: failed('transcode.inspect.failed.v1'),
  encodeStarted: started('transcode.encode.started.v1'),
  encodeProgressed: progressed('transcode.encode.progressed.v1'),
  audioCompleted: fact<AudioCompleted, AudioCompletedOut>(
    'transcode.audio.completed.v1',
    'vds.transcode.v1.AudioCompleted',
  ),
  encodeCompleted: fact<EncodeCompleted, EncodeCompletedOut>(
    'transcode.encode.completed.v1',
    'vds.transcode.v1.EncodeCompleted',
  ),
  encodeFailed: failed('transcode.encode.failed.v1'),
  transcodeVideoPurged: purged('transcode.video.purged.v1'),

  captionsStarted: started('captions.captions.started.v1'),
  captionsProgressed: progressed('captions.captions.progressed.v1'),
  tracksChanged: fact<TracksChanged, TracksChangedOut>('captions.tracks.changed.v1', 'vds.captions.v1.TracksChanged'),
  captionsCompleted: fact<CaptionsCompleted, CaptionsCompletedOut>(
    'captions.captions.completed.v1',
    'vds.captions.v1.CaptionsCompleted',
  ),
  captionsFailed: failed('captions.captions.failed.v1'),
  captionsVideoPurged: purged('captions.video.purged.v1'),

  metadataStarted: started('metadata.metadata.started.v1'),
  metadataProgressed: progressed('metadata.metadata.progressed.v1'),
  metadataCompleted: fact<MetadataCompleted, MetadataCompletedOut>(
    'metadata.metadata.completed.v1',
    'vds.metadata.v1.MetadataCompleted',
  ),
  metadataFailed: failed('metadata.metadata.failed.v1'),
  metadataVideoPurged: purged('metadata.video.purged.v1'),

  indexerVideoPurged: purged('indexer.video.purged.v1'),

  viewReported: event<ViewReported, ViewReportedOut>(
    'playback.view.reported.v1',
    'vds.playback.v1.ViewReported',
    'fact',
    { analytics: 'batches' },
  ),
} as const;

/** The rows of each stage, for `defineStage`: its request and the events that its owner publishes about it. */
export const stageEvents = {
  fetch: {
    requested: events.fetchRequested,
    started: events.fetchStarted,
    progressed: events.fetchProgressed,
    completed: events.fetchCompleted,
    failed: events.fetchFailed,
  },
  inspect: {
    requested: events.inspectRequested,
    started: events.inspectStarted,
    completed: events.inspectCompleted,
    failed: events.inspectFailed,
  },
  encode: {
    requested: events.encodeRequested,
    started: events.encodeStarted,
    progressed: events.encodeProgressed,
    completed: events.encodeCompleted,
    failed: events.encodeFailed,
  },
  captions: {
    requested: events.captionsRequested,
    started: events.captionsStarted,
    progressed: events.captionsProgressed,
    completed: events.captionsCompleted,
    failed: events.captionsFailed,
  },
  metadata: {
    requested: events.metadataRequested,
    started: events.metadataStarted,
    progressed: events.metadataProgressed,
    completed: events.metadataCompleted,
    failed: events.metadataFailed,
  },
} as const;

const table: readonly EventType<never, unknown>[] = Object.values(events);

/** The services that run stages, in the order of the pipeline. */
export const stageOwners: readonly string[] = unique(Object.values(stageEvents).map((stage) => stage.started.owner));

/** The services that consume events through durables. */
export const durableConsumers: readonly string[] = unique(
  table.flatMap(({ consumers }) => Object.keys(consumers).filter((service) => consumers[service] === 'durable')),
);

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

/** Name of the stream that holds `<owner>.>`. */
export function streamOf(owner: string): string {
  return owner.toUpperCase().replaceAll('-', '_');
}

/** Name of the stream that holds the dead letters of `service`, under `dead.<service>.>`. */
export function deadStreamOf(service: string): string {
  return `DEAD_${streamOf(service)}`;
}
