/** The claims of a playback token (RFC 7519) whose signature is valid: may its bearer watch this video now? */
import { AppError } from '@vds/chassis/errors';
import type { Excerpt } from './excerpt.ts';

export type TokenPolicy = {
  readonly issuer: string;
  readonly audience: string;
  /** How long after its expiry a token is still accepted: the clocks of the issuer's replicas differ. */
  readonly skewMs: number;
};

export type Claims = {
  readonly subject: string;
  readonly tokenId: string;
  /** A keyed hash of the viewer; '' where the app named none. */
  readonly viewer: string;
  /**
   * Of the operator's staff: opens the video whatever its state. Of apps: what is finished of a video that is still being
   * processed. Views of neither are counted.
   */
  readonly preview: 'staff' | 'apps' | undefined;
  /** The part of the video that the token plays; undefined: all of it. */
  readonly excerpt: Excerpt | undefined;
  /** Milliseconds since the epoch. */
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
};

/**
 * Reads the claims.
 * @throws UNAUTHENTICATED for another issuer or audience, or incomplete claims
 */
export function readClaims(payload: Readonly<Record<string, unknown>>, policy: TokenPolicy): Claims {
  const { sub, jti, iss, aud, viewer } = payload;
  const preview = (['staff', 'apps'] as const).find((bearer) => bearer === payload['preview']);
  const [issuedAtMs, expiresAtMs] = [milliseconds(payload['iat']), milliseconds(payload['exp'])];
  if (iss !== policy.issuer || ![aud].flat().includes(policy.audience)) throw invalid();
  if (typeof sub !== 'string' || expiresAtMs === undefined || issuedAtMs === undefined) throw invalid();
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const times = { issuedAtMs, expiresAtMs };
  return { ...readSubject(sub), tokenId: text(jti), viewer: text(viewer), preview, ...times };
}

/** `<playback_id>`, or `<playback_id>@<start>-<end>` in milliseconds; anything else is no video's and opens nothing. */
function readSubject(sub: string): Pick<Claims, 'subject' | 'excerpt'> {
  const [, subject, startMs, endMs] = /^([\w-]+)@(\d{1,15})-(\d{1,15})$/.exec(sub) ?? [];
  if (subject === undefined) return { subject: sub, excerpt: undefined };
  return { subject, excerpt: { startMs: Number(startMs), endMs: Number(endMs) } };
}

function milliseconds(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value * 1_000 : undefined;
}

function invalid(): AppError {
  return new AppError('UNAUTHENTICATED', 'The playback token is not valid.', { reason: 'token_invalid' });
}

/**
 * Checks the claims for a video and a time. A token whose `iat` lies ahead is as good as any other: its signature proves
 * that auth issued it, and only a skewed clock makes it look early (RFC 7519 §4.1.6 requires no check).
 * @param nowMs the issuer's time
 * @throws PERMISSION_DENIED for an expired token or another video's
 */
export function checkClaims(claims: Claims, playbackId: string, nowMs: number, { skewMs }: TokenPolicy): void {
  if (nowMs > claims.expiresAtMs + skewMs)
    throw new AppError('PERMISSION_DENIED', 'The playback token has expired.', { reason: 'token_expired' });
  if (claims.subject !== playbackId)
    throw new AppError('PERMISSION_DENIED', 'The playback token is for another video.', {
      reason: 'token_of_other_video',
    });
}
