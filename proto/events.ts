/**
 * THE event table: every subject on NATS with its message, its one owner and its consumers. The events of stages and of
 * purges follow from stages.ts.
 *
 * A `request` is republished until its terminal event has arrived; a `fact` is in the past tense and published once per
 * cause. `durable` and `batches` consumers receive every message once per service; `watch` consumers receive every new
 * message once per replica.
 */
import { event, fact, type Delivery, type EventType } from './event-type.ts';
import { namedStageEvents, purgeEvents } from './stage-events.ts';
import { purgeOwners, stageOwners } from './stages.ts';

export type { EventType, Delivery } from './event-type.ts';
export { stageEvents } from './stage-events.ts';

export const events = {
  videoCancelled: event(
    'catalog.video.cancelled.v1',
    'vds.catalog.v1.VideoCancelled',
    'fact',
    all(stageOwners, 'watch'),
  ),
  videoChanged: event('catalog.video.changed.v1', 'vds.catalog.v1.VideoChanged', 'fact', {
    playback: 'watch',
    captions: 'watch',
    metadata: 'watch',
    indexer: 'durable',
  }),
  purgeRequested: event(
    'catalog.purge.requested.v1',
    'vds.catalog.v1.PurgeRequested',
    'request',
    all([...purgeOwners, 'analytics'], 'durable'),
  ),
  ...namedStageEvents,
  tracksChanged: fact('captions.tracks.changed.v1', 'vds.captions.v1.TracksChanged'),
  trackCorrected: fact('captions.track.corrected.v1', 'vds.captions.v1.TrackCorrected'),
  ...purgeEvents,
  viewReported: event('playback.view.reported.v1', 'vds.playback.v1.ViewReported', 'fact', { analytics: 'batches' }),
  videosWatched: event('analytics.videos.watched.v1', 'vds.analytics.v1.VideosWatched', 'fact', { indexer: 'durable' }),
} as const;

/** The confirmations of purges. */
export const purgeConfirmations = Object.values(purgeEvents);

const table: readonly EventType<never, unknown>[] = Object.values(events);

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

function all(services: readonly string[], delivery: Delivery): Readonly<Record<string, Delivery>> {
  return Object.fromEntries(services.map((service) => [service, delivery]));
}
