/** The fields of a video that callers see in each of its states; sentences and addresses are added by the gateway. */
import type { Track as PlayableTrack } from '@vds/proto/generated/vds/captions/v1/Track.ts';
import type { Clip } from '@vds/proto/generated/vds/catalog/v1/Clip.ts';
import type { Description } from '@vds/proto/generated/vds/catalog/v1/Description.ts';
import type { Video as PartnerVideo } from '@vds/proto/generated/vds/catalog/v1/Video.ts';
import type { VideoStateOut } from '@vds/proto/generated/vds/catalog/v1/VideoState.ts';
import { overallProgress, type StageStatus } from './stages.ts';
import { visibleTracks, type Track, type Video } from './video.ts';

/** Whether a retry may help, and the sentence that the partner reads, by failure code. */
export type Sentences = Readonly<Record<string, { readonly retryable: boolean; readonly message: string }>>;

/** The fields of a live video that the platform's apps show. */
export type ClipFields = Pick<
  Video,
  'publisherId' | 'title' | 'summary' | 'tags' | 'sport' | 'category' | 'languageCode' | 'thumbnailUrl'
> & { readonly videoId: string; readonly durationMs: number; readonly playbackId: string; readonly publishedAt: Date };

export type DescriptionFields = Pick<
  ClipFields,
  'videoId' | 'publisherId' | 'title' | 'summary' | 'tags' | 'sport' | 'category' | 'languageCode'
> &
  Partial<Pick<Video, 'transcriptKey' | 'captions'>>;

/**
 * The partner's record (spec §2.3). While processing it has only basic fields; a deleted video keeps its title and, if
 * it failed, the reason.
 */
export function partnerRecord(video: Video, stages: readonly StageStatus[], sentences: Sentences): PartnerVideo {
  const { state } = video;
  const basic: PartnerVideo = {
    id: video.id,
    state: protoState(state),
    title: video.title,
    createdAt: video.createdAt.toISOString(),
    ...(state !== 'processing' && { updatedAt: video.updatedAt.toISOString() }),
    ...failureOf(video, sentences),
  };
  if (state === 'deleted') return basic;
  const hasMedia = state === 'ready' || state === 'archived';
  const tracks = visibleTracks(video);
  return {
    ...basic,
    ...(video.summary !== null && { summary: video.summary }),
    tags: [...video.tags],
    ...(video.sport !== null && { sport: video.sport }),
    ...(video.category !== null && { category: video.category }),
    languageCode: video.languageCode,
    ...(video.durationMs !== null && { durationSeconds: seconds(video.durationMs) }),
    ...(state === 'processing' && { progress: overallProgress(stages) }),
    ...(state === 'processing' && video.intent !== 'delete' && waitingOf(stages)),
    // An archive that the operator queued is a hold.
    ...(video.intent !== 'none' && !video.held && { pending: video.intent }),
    ...(state !== 'processing' && { sourceWarnings: video.warnings.map((warning) => ({ ...warning })) }),
    ...(hasMedia && video.thumbnailUrl !== null && { thumbnailUrl: video.thumbnailUrl }),
    ...(hasMedia && !video.held && video.playbackId !== null && { mediaPlaybackId: video.playbackId }),
    ...(state === 'ready' && video.playbackId !== null && { playbackId: video.playbackId }),
    ...(tracks && {
      captions: tracks.map(({ reason, ...track }) => ({ ...track, ...(reason !== null && { reason }) })),
    }),
  };
}

/** What an open stage waits for. */
function waitingOf(stages: readonly StageStatus[]): Pick<PartnerVideo, 'waiting'> {
  const found = stages.find(({ state, waiting }) => state === 'started' && typeof waiting === 'string');
  return typeof found?.waiting === 'string' ? { waiting: found.waiting } : {};
}

/** The state of a video; while it is processed, that which is already decided for its end. */
export function stateToCome({ state, intent }: Pick<Video, 'state' | 'intent'>): Video['state'] {
  if (state !== 'processing' || intent === 'none') return state;
  return intent === 'delete' ? 'deleted' : 'archived';
}

export function protoState(state: Video['state']): VideoStateOut {
  return `VIDEO_STATE_${state.toUpperCase()}` as VideoStateOut;
}

function failureOf({ failure }: Video, sentences: Sentences): PartnerVideo {
  if (failure === null) return {};
  const { retryable = false, message = '' } = sentences[failure.code] ?? {};
  return { failure: { ...failure, retryable, message } };
}

/** The host of a video's source, with its port where it names one; the address itself may be signed. */
export function sourceHostOf({ sourceUrl }: Pick<Video, 'sourceUrl'>): string | undefined {
  return URL.parse(sourceUrl)?.host;
}

/** Whole seconds, rounded, at least 1. */
function seconds(durationMs: number): number {
  return Math.max(1, Math.round(durationMs / 1000));
}

export function clipRecord(clip: ClipFields): Clip {
  return {
    ...descriptionRecord(clip),
    durationMs: clip.durationMs,
    playbackId: clip.playbackId,
    ...(clip.thumbnailUrl !== null && { thumbnailUrl: clip.thumbnailUrl }),
    publishedAt: clip.publishedAt.toISOString(),
  };
}

/** The partner's description of a video, and the key of its transcript. */
export function descriptionRecord(video: DescriptionFields): Description {
  return {
    videoId: video.videoId,
    publisherId: video.publisherId,
    title: video.title,
    ...(video.summary !== null && { summary: video.summary }),
    tags: [...video.tags],
    ...(video.sport !== null && { sport: video.sport }),
    ...(video.category !== null && { category: video.category }),
    languageCode: video.languageCode,
    ...(typeof video.transcriptKey === 'string' && { transcriptKey: video.transcriptKey }),
    ...englishOf(video.captions ?? []),
  };
}

/** The ready translation into English, with whose words those of other languages can be compared. */
function englishOf(tracks: readonly Track[]): Pick<Description, 'englishKey'> {
  const english = tracks.find(
    ({ kind, status, language }) => kind === 'subtitles' && status === 'ready' && /^en\b/i.test(language),
  );
  return typeof english?.textKey === 'string' ? { englishKey: english.textKey } : {};
}

/** The tracks that can be played and searched, in the order of the menu. */
export function readyTracks(tracks: readonly Track[]): PlayableTrack[] {
  return tracks.flatMap(({ reason: _reason, playlistKey, textKey, path, ...track }) =>
    track.status === 'ready' && playlistKey !== null
      ? [{ ...track, playlistKey, ...(textKey !== null && { textKey }), path: [...path] }]
      : [],
  );
}
