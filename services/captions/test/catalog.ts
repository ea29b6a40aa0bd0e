/** The events that the test publishes in catalog's place, and those that it waits for. */
import { events } from '@vds/proto/events';
import type { TrackOut } from '@vds/proto/generated/vds/captions/v1/Track.ts';
import type { TrackStateOut } from '@vds/proto/generated/vds/captions/v1/TrackState.ts';
import { cancelVideo, purgeVideo, terminalEvent as terminalEventOf } from '@vds/testkit/harness/stand-in-catalog';
import { until } from '@vds/testkit/until';
import { publisher, type Harness, type PublishedEvent } from './harness.ts';

export type CaptionsRequest = {
  readonly videoId: string;
  readonly attempt: number;
  readonly revision: number;
  readonly durationMs: number;
  readonly hasAudio: boolean;
  readonly audioPlaylistKey: string;
  readonly languageCode: string;
  /** Of the captions inside the file. */
  readonly textsKey: string;
  readonly textLanguages: string[];
  readonly category: string;
  /** What names are taken from. */
  readonly title?: string;
  readonly tags?: string[];
  readonly earlierTitles?: string[];
};

let messages = 0;

export function requestFor(
  videoId: string,
  audioPlaylistKey: string,
  more: Partial<CaptionsRequest> = {},
): CaptionsRequest {
  return {
    videoId,
    attempt: 1,
    revision: 0,
    durationMs: 12_000,
    hasAudio: audioPlaylistKey !== '',
    audioPlaylistKey,
    languageCode: 'en',
    textsKey: '',
    textLanguages: [],
    category: '',
    ...more,
  };
}

export function publishRequest(harness: Harness, request: CaptionsRequest, publisherId = publisher): Promise<void> {
  return harness.bus.publish(events.captionsRequested, { ...request, publisherId }, `captions-${++messages}`);
}

/** Waits for the stage's terminal event, whichever it is. */
export function terminalEvent(harness: Harness, videoId: string, capMs = 60_000): Promise<PublishedEvent> {
  return terminalEventOf(harness.published, videoId, 'captions', { capMs });
}

/** Every published state of a video, in order. */
export function publishedStates(harness: Harness, videoId: string): TrackStateOut[] {
  return harness.of(videoId, 'tracks.changed').map(stateOf);
}

/** The states of a video up to a revision, once they have arrived: two relays publish, so that they come in any order. */
export async function allStates(harness: Harness, videoId: string, revision: number): Promise<TrackStateOut[]> {
  const states = (): TrackStateOut[] => publishedStates(harness, videoId);
  await until(() => states().length >= revision, { what: `${revision} states` });
  return states().toSorted((one, other) => one.revision - other.revision);
}

export function stateOf({ payload }: PublishedEvent): TrackStateOut {
  return payload['state'] as TrackStateOut;
}

/** The number of tracks by their outcome. */
export function statusCounts({ tracks }: TrackStateOut): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const track of tracks) counts[describeTrack(track)] = (counts[describeTrack(track)] ?? 0) + 1;
  return counts;
}

/** `ready`, or `skipped no_path`. */
export function describeTrack({ status, reason }: TrackOut): string {
  return [status, reason].filter(Boolean).join(' ');
}

export function purge(
  harness: Harness,
  videoId: string,
  scope: 'PURGE_SCOPE_VIDEO' | 'PURGE_SCOPE_OTHER_ATTEMPTS',
  keepAttempt = 0,
  captionKeys: string[] = [],
): Promise<void> {
  const owners = ['transcode', 'captions'];
  return purgeVideo(harness.bus, videoId, { scope, keepAttempt, owners, inUse: { captionKeys } });
}

export function cancel(harness: Harness, videoId: string): Promise<void> {
  return cancelVideo(harness.bus, videoId);
}
