/** The claims of a playback token (RFC 7519) whose signature is right: may its bearer see this video now? */
import { AppError } from '@vds/chassis/errors';

export type TokenPolicy = {
  readonly issuer: string;
  readonly audience: string;
  /** How far the clocks of issuer and checker may be apart. */
  readonly skewMs: number;
};

export type Claims = {
  readonly subject: string;
  readonly tokenId: string;
  /** Milliseconds since the epoch, both. */
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
};

/**
 * What a token says of itself.
 * @throws UNAUTHENTICATED when it is of another issuer, for another audience, or incomplete
 */
export function readClaims(payload: Readonly<Record<string, unknown>>, policy: TokenPolicy): Claims {
  const { sub, jti, iss, aud } = payload;
  const issuedAtMs = seconds(payload['iat']);
  const expiresAtMs = seconds(payload['exp']);
  if (iss !== policy.issuer || ![aud].flat().includes(policy.audience)) throw invalid();
  if (typeof sub !== 'string' || issuedAtMs === undefined || expiresAtMs === undefined) throw invalid();
  return { subject: sub, tokenId: typeof jti === 'string' ? jti : '', issuedAtMs, expiresAtMs };
}

function seconds(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value * 1_000 : undefined;
}

function invalid(): AppError {
  return new AppError('UNAUTHENTICATED', 'The playback token is not valid.', { reason: 'token_invalid' });
}

/**
 * Passes, or says why not.
 * @throws UNAUTHENTICATED for a token of the future, PERMISSION_DENIED for an expired one or one of another video
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
