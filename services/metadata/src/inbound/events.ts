/** Consumed events: a changed video is no longer read from memory, in every replica. */
import { events } from '@vds/proto/events';
import { on, type EventHandler } from '@vds/chassis/bus/bus';
import type { LiveVideos } from '@vds/chassis/cache/live-videos';

export function broadcastHandlers(live: Pick<LiveVideos<object>, 'drop'>): readonly EventHandler[] {
  return [on(events.videoChanged, async ({ videoId, version }) => live.drop(videoId, version))];
}
