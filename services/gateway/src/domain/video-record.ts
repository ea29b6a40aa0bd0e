/** The status record (spec §2.3) of a video and the fields that each state has. */
import type { VideoOut } from '@vds/proto/generated/vds/catalog/v1/Video.ts';
import { AppError } from '@vds/chassis/errors';
import { writeVideoId } from './video-id.ts';

const statuses = {
  VIDEO_STATE_PROCESSING: 'processing',
  VIDEO_STATE_READY: 'ready',
  VIDEO_STATE_ARCHIVED: 'archived',
  VIDEO_STATE_FAILED: 'failed',
  VIDEO_STATE_DELETED: 'deleted',
} as const;

type Status = (typeof statuses)[keyof typeof statuses];

/**
 * The record of catalog's video.
 * @param playbackUrl public base address of playback, without a trailing slash
 * @throws INTERNAL for a contradictory video
 */
export function videoRecord(video: VideoOut, playbackUrl: string) {
  if (video.state === 'VIDEO_STATE_UNSPECIFIED') throw new AppError('INTERNAL', `video ${video.id} has no state`);
  const status = statuses[video.state];
  return {
    id: writeVideoId(video.id),
    status,
    is_available: status === 'ready',
    ...description(video, status),
    ...(status !== 'deleted' && video.durationSeconds !== undefined && { duration_seconds: video.durationSeconds }),
    thumbnail_url: thumbnailUrl(video, status, playbackUrl),
    playback: playback(video, status, playbackUrl),
    created_at: video.createdAt,
    ...(status !== 'processing' && video.updatedAt !== undefined && { updated_at: video.updatedAt }),
    ...outcome(video, status),
  };
}

function description(video: VideoOut, status: Status) {
  if (status === 'deleted') return { title: video.title, summary: null, tags: [] };
  return {
    title: video.title,
    summary: video.summary ?? null,
    tags: video.tags,
    sport: video.sport ?? null,
    category: video.category ?? null,
    ...(video.languageCode !== undefined && { language_code: video.languageCode }),
  };
}

/** The partner's own thumbnail, else ours; null while there are no media. */
function thumbnailUrl(video: VideoOut, status: Status, playbackUrl: string): string | null {
  if (status !== 'ready' && status !== 'archived') return null;
  if (video.thumbnailUrl !== undefined) return video.thumbnailUrl;
  const playbackId = video.playbackId ?? video.mediaPlaybackId;
  return playbackId === undefined ? null : `${playbackUrl}/t/${playbackId}.jpg`;
}

function playback({ id, playbackId }: VideoOut, status: Status, playbackUrl: string) {
  if (status !== 'ready') return null;
  if (playbackId === undefined) throw new AppError('INTERNAL', `ready video ${id} has no playback id`);
  return {
    playback_id: playbackId,
    hls_url: `${playbackUrl}/${playbackId}.m3u8`,
    thumbnail_url: `${playbackUrl}/t/${playbackId}.jpg`,
  };
}

function outcome({ progress, pending, waiting, sourceWarnings, captions, failure }: VideoOut, status: Status) {
  if (status === 'processing')
    return { progress: progress ?? 0, pending: pending ?? null, ...(waiting !== undefined && waitingFor(waiting)) };
  return {
    ...(status !== 'deleted' && { source_warnings: sourceWarnings.map(({ code, message }) => ({ code, message })) }),
    ...((status === 'ready' || status === 'archived') && {
      captions: captions.map(({ language, kind, status, reason = null }) => ({ language, kind, status, reason })),
    }),
    ...((status === 'failed' || status === 'deleted') &&
      failure && {
        failure: {
          code: failure.code,
          stage: failure.stage,
          retryable: failure.retryable,
          message: failure.message,
          details: failure.details,
        },
      }),
  };
}

/** Of a try that ended with this failure code and is repeated by itself. */
function waitingFor(code: string) {
  return {
    message: `The source could not be fetched yet (${code}). It is tried again within 30 minutes of the submission: check that its host serves the file.`,
  };
}
