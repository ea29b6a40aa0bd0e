/** The status record (spec §2.3) of a video, state by state as design §4's table has it. */
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
 * Renders catalog's facts for the partner.
 * @param playbackUrl public base address of playback, without a slash at its end
 * @throws INTERNAL when the facts contradict each other
 */
export function videoRecord(video: VideoOut, playbackUrl: string) {
  const status = statusOf(video);
  return {
    id: writeVideoId(video.id),
    status,
    is_available: status === 'ready',
    ...describedAs(video, status),
    ...(status !== 'deleted' && video.durationSeconds !== undefined && { duration_seconds: video.durationSeconds }),
    thumbnail_url: thumbnailOf(video, status, playbackUrl),
    playback: playbackOf(video, status, playbackUrl),
    created_at: video.createdAt,
    ...(status !== 'processing' && video.updatedAt !== undefined && { updated_at: video.updatedAt }),
    ...outcomeOf(video, status),
  };
}

function statusOf(video: VideoOut): Status {
  if (video.state === 'VIDEO_STATE_UNSPECIFIED') throw new AppError('INTERNAL', `video ${video.id} has no state`);
  return statuses[video.state];
}

function describedAs(video: VideoOut, status: Status) {
  return status === 'deleted'
    ? { title: video.title, summary: null, tags: [] }
    : {
        title: video.title,
        summary: video.summary ?? null,
        tags: video.tags,
        sport: video.sport ?? null,
        category: video.category ?? null,
        ...(video.languageCode !== undefined && { language_code: video.languageCode }),
      };
}

/** The partner's own thumbnail, else ours; nothing before the media stands and nothing after it is gone. */
function thumbnailOf(video: VideoOut, status: Status, playbackUrl: string): string | null {
  if (status !== 'ready' && status !== 'archived') return null;
  if (video.thumbnailUrl !== undefined) return video.thumbnailUrl;
  const playbackId = video.playbackId ?? video.mediaPlaybackId;
  return playbackId === undefined ? null : addressesOf(playbackUrl, playbackId).thumbnail;
}

/** Addresses under the public base of playback, which has no slash at its end. */
function addressesOf(playbackUrl: string, playbackId: string) {
  return {
    hls: `${playbackUrl}/${playbackId}.m3u8`,
    thumbnail: `${playbackUrl}/t/${playbackId}.jpg`,
  };
}

function playbackOf(video: VideoOut, status: Status, playbackUrl: string) {
  if (status !== 'ready') return null;
  if (video.playbackId === undefined) throw new AppError('INTERNAL', `ready video ${video.id} has no playback id`);
  const { hls, thumbnail } = addressesOf(playbackUrl, video.playbackId);
  return { playback_id: video.playbackId, hls_url: hls, thumbnail_url: thumbnail };
}

function outcomeOf(video: VideoOut, status: Status) {
  return {
    ...(status === 'processing' && { progress: video.progress ?? 0 }),
    ...(status !== 'processing' &&
      status !== 'deleted' && {
        source_warnings: video.sourceWarnings.map(({ code, message }) => ({ code, message })),
      }),
    ...((status === 'ready' || status === 'archived') && { captions: captionsOf(video) }),
    ...((status === 'failed' || status === 'deleted') &&
      video.failure && {
        failure: {
          code: video.failure.code,
          stage: video.failure.stage,
          retryable: video.failure.retryable,
          message: video.failure.message,
          details: video.failure.details,
        },
      }),
  };
}

/** Catalog knows no other words: its door leaves out what is none of the contract's. */
function captionsOf(video: VideoOut) {
  return video.captions.map(({ language, kind, status, reason }) => ({
    language,
    kind,
    status,
    reason: reason ?? null,
  }));
}
