/** The events that the test publishes in catalog's place, and those that it waits for. */
import { events } from '@vds/proto/events';
import type { TrackOut } from '@vds/proto/generated/vds/captions/v1/Track.ts';
import type { TrackStateOut } from '@vds/proto/generated/vds/captions/v1/TrackState.ts';
import { cancelVideo, purgeVideo, terminalEvent } from '@vds/testkit/harness/stand-in-catalog';
import { publisher, type House, type PublishedEvent } from './harness.ts';

export type Asking = {
  readonly videoId: string;
  readonly attempt: number;
  readonly revision: number;
  readonly durationMs: number;
  readonly hasAudio: boolean;
  readonly audioPlaylistKey: string;
  readonly languageCode: string;
};

let messages = 0;

export function asking(videoId: string, audioPlaylistKey: string, more: Partial<Asking> = {}): Asking {
  return {
    videoId,
    attempt: 1,
    revision: 0,
    durationMs: 12_000,
    hasAudio: audioPlaylistKey !== '',
    audioPlaylistKey,
    languageCode: 'en',
    ...more,
  };
}

export function ask(house: House, asked: Asking): Promise<void> {
  return house.bus.publish(events.captionsRequested, { ...asked, publisherId: publisher }, `captions-${++messages}`);
}

/** Waits for the stage's terminal event, whichever it is. */
export function lastWord(house: House, videoId: string, capMs = 60_000): Promise<PublishedEvent> {
  return terminalEvent(house.published, videoId, 'captions', { capMs });
}

/** Every published state of a video, in order. */
export function states(house: House, videoId: string): TrackStateOut[] {
  return house.of(videoId, 'tracks.changed').map(stateIn);
}

export function stateIn({ payload }: PublishedEvent): TrackStateOut {
  return payload['state'] as TrackStateOut;
}

/** The number of tracks by their outcome. */
export function tally({ tracks }: TrackStateOut): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const track of tracks) counts[inWords(track)] = (counts[inWords(track)] ?? 0) + 1;
  return counts;
}

/** `ready`, or `skipped no_path`. */
export function inWords({ status, reason }: TrackOut): string {
  return [status, reason].filter(Boolean).join(' ');
}

export function purge(
  house: House,
  videoId: string,
  scope: 'PURGE_SCOPE_VIDEO' | 'PURGE_SCOPE_OTHER_ATTEMPTS',
  keepAttempt = 0,
): Promise<void> {
  return purgeVideo(house.bus, videoId, { scope, keepAttempt, owners: ['transcode', 'captions'] });
}

export function cancel(house: House, videoId: string): Promise<void> {
  return cancelVideo(house.bus, videoId);
}
