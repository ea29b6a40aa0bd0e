/** What playback hears: a video has changed, in every replica at once. */
import { events } from '@vds/proto/events';
import { hear, type Ear } from '@vds/chassis/bus/bus';
import type { Gates } from '../outbound/gates.ts';

export function playbackEars(gates: Pick<Gates, 'drop'>): readonly Ear[] {
  return [hear(events.videoChanged, async ({ videoId, version }) => gates.drop(videoId, version))];
}
