/** The claims of a playback token (RFC 7519): one playback id, valid long enough to watch the video and not much longer. */
import { AppError } from '@vds/chassis/errors';
import { isVideoId } from '@vds/proto/ids';

const MIN_S = 6 * 3_600;
const PREVIEW_S = 600;
const MAX_VIEWER_ID = 128;
const [MIN_EXCERPT_MS, MAX_EXCERPT_MS] = [1_000, 600_000];
export const MAX_TOKEN_S = 24 * 3_600;

/** Of every token that auth signs. */
export type TokenClaims = {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string;
  /** Seconds since the epoch. */
  readonly iat: number;
  /** Seconds since the epoch. */
  readonly exp: number;
  readonly jti: string;
};
export type PlaybackClaims = TokenClaims & {
  /** A keyed hash of the viewer; absent: unknown. */
  readonly viewer?: string;
  /**
   * `staff`: opens the video whatever its state. `apps`: its subject is a video's id; opens what is finished of it while
   * it is processed, and all of it while it is live. Views of neither are counted.
   */
  readonly preview?: 'staff' | 'apps';
};
export type Excerpt = { readonly startMs: number; readonly endMs: number };

export type TokenRequest = {
  readonly playbackId: string;
  readonly durationMs: number;
  /** A keyed hash of the viewer; '' or absent: unknown. */
  readonly viewer?: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly issuer: string;
  readonly audience: string;
  /** Unique among all tokens. */
  readonly jti: string;
};

/**
 * The claims of a new token. That of an excerpt has the subject `<playback_id>@<start>-<end>` (milliseconds): who knows
 * nothing of excerpts takes it for another video's.
 * @param excerpt the part that it plays; undefined: all of the video
 * @throws AppError INVALID_ARGUMENT for a malformed playback id, an impossible duration or excerpt
 */
export function playbackClaims({
  excerpt,
  ...request
}: TokenRequest & { readonly excerpt?: Excerpt | undefined }): PlaybackClaims {
  if (isVideoId(request.playbackId))
    throw new AppError(
      'INVALID_ARGUMENT',
      'playback_id is the id of a video, which has its playback id once it is ready',
    );
  const claims = claimsOf(request);
  return excerpt ? { ...claims, sub: claims.sub + rangeOf(excerpt) } : claims;
}

function rangeOf({ startMs, endMs }: Excerpt): string {
  const lastsMs = endMs - startMs;
  const isPossible = [startMs, endMs].every(Number.isSafeInteger) && startMs >= 0;
  if (isPossible && lastsMs >= MIN_EXCERPT_MS && lastsMs <= MAX_EXCERPT_MS) return `@${startMs}-${endMs}`;
  const rule = `an excerpt starts at 0 ms or later and lasts ${MIN_EXCERPT_MS} to ${MAX_EXCERPT_MS} ms`;
  throw new AppError('INVALID_ARGUMENT', `${rule}, got ${startMs} to ${endMs} ms`);
}

function claimsOf({ playbackId, durationMs, viewer = '', now, issuer, audience, jti }: TokenRequest): PlaybackClaims {
  if (!/^[0-9A-Za-z_-]{1,64}$/.test(playbackId))
    throw new AppError('INVALID_ARGUMENT', 'a playback id is 1 to 64 characters of 0-9A-Za-z_-');
  const iat = Math.floor(now / 1_000);
  return {
    iss: issuer,
    sub: playbackId,
    aud: audience,
    iat,
    exp: iat + tokenLifeSeconds(durationMs),
    jti,
    ...(viewer !== '' && { viewer }),
  };
}

/**
 * The claims of a token with which an app's viewer watches a video that is still being processed.
 * @throws AppError INVALID_ARGUMENT for what is no video's id, or an impossible duration
 */
export function processingClaims({
  videoId,
  ...request
}: Omit<TokenRequest, 'playbackId'> & { readonly videoId: string }): PlaybackClaims {
  if (!isVideoId(videoId)) throw new AppError('INVALID_ARGUMENT', 'a video id is 26 characters, without vid_');
  return { ...claimsOf({ ...request, playbackId: videoId }), preview: 'apps' };
}

/** The claims of a token with which staff watches a video whatever its state: valid for ten minutes. */
export function previewClaims(request: Omit<TokenRequest, 'durationMs' | 'viewer'>): PlaybackClaims {
  const claims = claimsOf({ ...request, durationMs: 0 });
  return { ...claims, exp: claims.iat + PREVIEW_S, preview: 'staff' };
}

/** The id as given; '' for none. @throws AppError INVALID_ARGUMENT */
export function checkViewerId(viewerId: string): string {
  if (viewerId.length <= MAX_VIEWER_ID && !/\p{Cc}/u.test(viewerId)) return viewerId;
  const rule = `viewer_id must be at most ${MAX_VIEWER_ID} characters without control characters`;
  throw new AppError('INVALID_ARGUMENT', rule);
}

/**
 * How long a token is valid, in seconds: max(6 h, twice the video's duration), at most 24 h.
 * @throws AppError INVALID_ARGUMENT for a negative duration
 */
export function tokenLifeSeconds(durationMs: number): number {
  if (!Number.isSafeInteger(durationMs) || durationMs < 0)
    throw new AppError('INVALID_ARGUMENT', `the duration of the video must be 0 ms or more, got ${durationMs}`);
  return Math.min(MAX_TOKEN_S, Math.max(MIN_S, Math.ceil((2 * durationMs) / 1_000)));
}
