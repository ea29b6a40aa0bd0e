/** Videos, stages and contexts that the pure tests start from. */
import type { DecisionContext } from '../../src/domain/commands.ts';
import type { StageStatus } from '../../src/domain/stages.ts';
import { noCaptions, type Captions, type Track, type Video } from '../../src/domain/video.ts';
import { named } from './stages.ts';

export const epoch = new Date('2026-01-01T00:00:00.000Z');

export function later(ms: number): Date {
  return new Date(epoch.getTime() + ms);
}

/** A video right after its acceptance. */
export function newVideo(changes: Partial<Video> = {}): Video {
  return {
    id: '01kqvd0000000000000000000a',
    publisherId: 'publisher-1',
    createdAt: epoch,
    state: 'processing',
    intent: 'none',
    held: false,
    attempt: 1,
    version: 1,
    updatedAt: epoch,
    endedAt: null,
    dueAt: null,
    deletedAt: null,
    gateClosesAt: null,
    publishedAt: null,
    playbackId: null,
    ladderKey: null,
    thumbnailKey: null,
    durationMs: null,
    failure: null,
    warnings: [],
    ...noCaptions,
    sourceUrl: 'https://media.example.com/a.mp4',
    title: 'Final',
    summary: 'The last minute',
    tags: ['goal', ''],
    thumbnailUrl: 'https://media.example.com/a.jpg',
    sport: 'soccer',
    category: 'sports',
    languageCode: 'en',
    ...changes,
  };
}

/** As `contextAt`, for videos that go through only the named stages. */
export function contextAtNamed(now: Date): DecisionContext {
  return contextAt(now, { list: named });
}

export function contextAt(now: Date, changes: Partial<DecisionContext> = {}): DecisionContext {
  return {
    now,
    gateGraceMs: 300_000,
    deleteGraceMs: 30_000,
    failedKeepMs: 7 * 86_400_000,
    sourcesKeepMs: 86_400_000,
    minAwaitMs: 2 * 60_000,
    storageSpent: false,
    newPlaybackId: 'minted',
    ...changes,
  };
}

/** A state of the tracks as captions publishes it; with a transcript from its second revision on. */
export function captionsAt(captionsRevision: number, changes: Partial<Captions> = {}): Captions {
  return {
    captions: [
      track('en', { kind: 'captions', path: ['en'] }),
      track('es', { status: 'processing', playlistKey: null }),
    ],
    captionsRevision,
    transcriptKey: captionsRevision < 2 ? null : `transcript-${captionsRevision}`,
    transcriptRevision: captionsRevision < 2 ? 0 : 1,
    ...changes,
  };
}

export function track(language: string, changes: Partial<Track> = {}): Track {
  return {
    language,
    kind: 'subtitles',
    status: 'ready',
    reason: null,
    name: language,
    playlistKey: `videos/01kqvd0000000000000000000a/1/translate-${language}.1/index.m3u8`,
    textKey: `videos/01kqvd0000000000000000000a/1/translate-${language}.1/track.json`,
    path: ['en', language],
    ...changes,
  };
}

export function status(stage: string, changes: Partial<StageStatus> = {}): StageStatus {
  return {
    stage,
    attempt: 1,
    revision: 0,
    inputsRevision: 0,
    state: 'requested',
    progress: 0,
    requestedAt: epoch,
    startedAt: null,
    finishedAt: null,
    reached: [],
    outputs: {},
    waiting: null,
    ...changes,
  };
}
