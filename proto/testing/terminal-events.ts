/** The terminal events of successful stages, for tests that replace the stages' owners. */
import { events, stageEvents, type EventType } from '../events.ts';
import type { StageName } from '../stages.ts';
import type { Track } from '../generated/vds/captions/v1/Track.ts';
import type { TrackState } from '../generated/vds/captions/v1/TrackState.ts';

/** Publishes an event in its owner's name, with a unique message id. */
export type Publish = <In>(event: EventType<In, unknown>, payload: In) => Promise<void>;

type Complete = (videoId: string, attempt?: number, revision?: number) => Promise<void>;
type StageKey = { readonly videoId: string; readonly attempt: number; readonly revision: number };

/**
 * The terminal event of each stage, published in its owner's name. Stages that are not named complete without outputs.
 * @param durationMs of every video
 */
export function terminalEvents(publish: Publish, durationMs: number): Readonly<Record<StageName, Complete>> {
  return {
    ...withoutOutputs(publish),
    fetch: (videoId: string, attempt = 1) =>
      publish(events.fetchCompleted, {
        videoId,
        attempt,
        sourceKey: `videos/${videoId}/${attempt}/source.1/manifest`,
        sourceBytes: 1_234,
        digest: 'd',
      }),
    inspect: (videoId: string, attempt = 1) =>
      publish(events.inspectCompleted, {
        videoId,
        attempt,
        durationMs,
        hasAudio: true,
        warnings: [{ code: 'duration_not_recommended', message: 'Longer than usual.' }],
      }),
    encode: (videoId: string, attempt = 1) =>
      publish(events.encodeCompleted, {
        videoId,
        attempt,
        durationMs: durationMs + 40,
        storedBytes: 5_678,
        ladderKey: `${media(videoId, attempt)}/ladder.json`,
        thumbnailKey: `${media(videoId, attempt)}/thumbnail.jpg`,
      }),
    captions: (videoId: string, attempt = 1) =>
      publish(events.captionsCompleted, { videoId, attempt, revision: 0, state: tracksAt(videoId, 2, attempt) }),
  };
}

function withoutOutputs(publish: Publish): Record<StageName, Complete> {
  const complete =
    (event: EventType<never, unknown>): Complete =>
    (videoId, attempt = 1, revision = 0) =>
      publish(event as EventType<StageKey, unknown>, { videoId, attempt, revision });
  return Object.fromEntries(
    Object.entries(stageEvents).map(([stage, { completed }]) => [stage, complete(completed)]),
  ) as Record<StageName, Complete>;
}

function media(videoId: string, attempt: number): string {
  return `videos/${videoId}/${attempt}/assemble.1`;
}

/** Captions' tracks: English and, from the third revision on, Spanish; German is not possible. */
export function tracksAt(videoId: string, revision: number, attempt = 1): TrackState {
  const spanish = trackOf(videoId, attempt, 'es');
  const { playlistKey: _playlist, textKey: _text, ...bare } = spanish;
  return {
    revision,
    tracks: [
      trackOf(videoId, attempt, 'en'),
      revision < 3 ? { ...bare, status: 'processing' } : spanish,
      { language: 'de', kind: 'subtitles', status: 'skipped', reason: 'no_path', name: 'de', path: [] },
    ],
    transcriptKey: key(videoId, attempt, 'en', 'track.json'),
    transcriptRevision: 1,
  };
}

function trackOf(videoId: string, attempt: number, language: string): Track {
  return {
    language,
    kind: language === 'en' ? 'captions' : 'subtitles',
    status: 'ready',
    name: language,
    playlistKey: key(videoId, attempt, language, 'index.m3u8'),
    textKey: key(videoId, attempt, language, 'track.json'),
    path: ['en'],
  };
}

function key(videoId: string, attempt: number, language: string, file: string): string {
  return `videos/${videoId}/${attempt}/translate-${language}.1/${file}`;
}
