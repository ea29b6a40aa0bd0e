/** New tokens, signed: for viewers, for staff who watch, and for staff who act. */
import { STAFF_AUDIENCE } from '@vds/chassis/rpc/staff';
import {
  playbackClaims,
  previewClaims,
  processingClaims,
  type Excerpt,
  type TokenClaims,
} from '../domain/playback-token.ts';
import { staffClaims } from '../domain/staff-token.ts';
import type { KeyRing } from './key-ring.ts';
import { randomBase62 } from './random-base62.ts';

export type MintedToken = {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
};
type Options = { readonly keyRing: Pick<KeyRing, 'sign'>; readonly issuer: string; readonly audience: string };
export type TokenMint = ReturnType<typeof openTokenMint>;

export function openTokenMint({ keyRing, issuer, audience }: Options) {
  const sign = async (claims: TokenClaims): Promise<MintedToken> => ({
    token: await keyRing.sign(claims),
    expiresAtMs: claims.exp * 1_000,
  });
  const common = () => ({ issuer, audience, now: Date.now(), jti: randomBase62(22) });
  return {
    /** @throws AppError INVALID_ARGUMENT for a malformed playback id, an impossible duration or excerpt */
    playback: (video: {
      readonly playbackId: string;
      readonly durationMs: number;
      readonly viewer: string;
      readonly excerpt: Excerpt | undefined;
    }) => sign(playbackClaims({ ...common(), ...video })),
    /** @throws AppError INVALID_ARGUMENT for a malformed video id or an impossible duration */
    processing: (video: { readonly videoId: string; readonly durationMs: number; readonly viewer: string }) =>
      sign(processingClaims({ ...common(), ...video })),
    /** @throws AppError INVALID_ARGUMENT for a malformed playback id */
    preview: (playbackId: string) => sign(previewClaims({ ...common(), playbackId })),
    staff: (name: string) => {
      const { issuer: iss, now, jti } = common();
      return sign(staffClaims(name, { iss, aud: STAFF_AUDIENCE, now, jti }));
    },
  };
}
