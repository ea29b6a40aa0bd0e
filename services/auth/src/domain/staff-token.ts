/** Tokens of the operator's staff: who acts, so that the audit names a person (RFC 7519). */
import { AppError } from '@vds/chassis/errors';
import type { TokenClaims } from './playback-token.ts';

const LIFE_S = 600;
const NAME = /^[a-z0-9][a-z0-9._@-]{0,63}$/;

/** The claims of the token that a personal one is exchanged for: valid for ten minutes. */
export function staffClaims(
  name: string,
  { now, ...claims }: { readonly now: number } & Pick<TokenClaims, 'iss' | 'aud' | 'jti'>,
): TokenClaims {
  const iat = Math.floor(now / 1_000);
  return { ...claims, sub: name, iat, exp: iat + LIFE_S };
}

/** The name as given. @throws AppError INVALID_ARGUMENT */
export function checkStaffName(name: string): string {
  if (NAME.test(name)) return name;
  throw new AppError('INVALID_ARGUMENT', 'the name must be 1 to 64 characters of a-z 0-9 . _ @ -, such as maria.lopez');
}
