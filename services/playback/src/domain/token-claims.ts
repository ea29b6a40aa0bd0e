/** The claims of a playback token (RFC 7519) whose signature is valid: may its bearer watch this video now? */
import { AppError } from '@vds/chassis/errors';

export type TokenPolicy = {
  readonly issuer: string;
  readonly audience: string;
  /** Tolerated clock skew between issuer and verifier. */
  readonly skewMs: number;
};

export type Claims = {
  readonly subject: string;
  readonly tokenId: string;
  /** Both in milliseconds since the epoch. */
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
};

/**
 * Reads the claims.
 * @throws UNAUTHENTICATED for another issuer or audience, or incomplete claims
 */
export function readClaims(payload: Readonly<Record<string, unknown>>, policy: TokenPolicy): Claims {
  const { sub, jti, iss, aud } = payload;
  const issuedAtMs = milliseconds(payload['iat']);
  const expiresAtMs = milliseconds(payload['exp']);
  if (iss !== policy.issuer || ![aud].flat().includes(policy.audience)) throw invalid();
  if (typeof sub !== 'string' || issuedAtMs === undefined || expiresAtMs === undefined) throw invalid();
  return { subject: sub, tokenId: typeof jti === 'string' ? jti : '', issuedAtMs, expiresAtMs };
}

function milliseconds(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value * 1_000 : undefined;
}

function invalid(): AppError {
  return new AppError('UNAUTHENTICATED', 'The playback token is not valid.', { reason: 'token_invalid' });
}

/**
 * Checks the claims for a video and a time.
 * @throws UNAUTHENTICATED for a token from the future, PERMISSION_DENIED for an expired one or another video's
 */
export function checkClaims(claims: Claims, playbackId: string, nowMs: number, { skewMs }: TokenPolicy): void {
  if (claims.issuedAtMs > nowMs + skewMs) throw invalid();
  if (nowMs > claims.expiresAtMs + skewMs)
    throw new AppError('PERMISSION_DENIED', 'The playback token has expired.', { reason: 'token_expired' });
  if (claims.subject !== playbackId)
    throw new AppError('PERMISSION_DENIED', 'The playback token is for another video.', {
      reason: 'token_of_other_video',
    });
}
