/** Playback tokens: ES256 JWTs of auth. The signature of a token is verified once; time and video on every use. */
import { AppError } from '@vds/chassis/errors';
import { compactVerify, errors } from 'jose';
import { LRUCache } from 'lru-cache';
import { checkClaims, readClaims, type Claims, type TokenPolicy } from '../domain/token-claims.ts';
import type { KeySet } from '@vds/chassis/rpc/key-set';

export type Token = Claims & { readonly kid: string };

const MAX_TOKENS = 20_000;
export type Tokens = ReturnType<typeof openTokens>;

export function openTokens(keys: KeySet, policy: TokenPolicy) {
  const verified = new LRUCache<string, Token>({ max: MAX_TOKENS });

  const verify = async (token: string): Promise<Token> => {
    try {
      const { payload, protectedHeader } = await compactVerify(
        token,
        async ({ kid }) => {
          const key = kid === undefined ? undefined : await keys.find(kid);
          if (!key) throw invalid();
          return key;
        },
        { algorithms: ['ES256'] },
      );
      const claims = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)) as Record<string, unknown>;
      return { ...readClaims(claims, policy), kid: String(protectedHeader.kid) };
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (error instanceof errors.JOSEError || error instanceof SyntaxError || error instanceof TypeError)
        throw invalid(error);
      throw error;
    }
  };

  return {
    /**
     * The claims of a valid token.
     * @throws UNAUTHENTICATED, PERMISSION_DENIED, or UNAVAILABLE before the first key set
     */
    check: async (token: string, playbackId: string): Promise<Token> => {
      const known = verified.get(token) ?? (await verify(token));
      verified.set(token, known);
      checkClaims(known, playbackId, keys.now(), policy);
      return known;
    },
    /** Milliseconds until the token is refused as expired. */
    leftMs: ({ expiresAtMs }: Claims): number => expiresAtMs + policy.skewMs - keys.now(),
  };
}

function invalid(cause?: unknown): AppError {
  return new AppError('UNAUTHENTICATED', 'The playback token is not valid.', { reason: 'token_invalid', cause });
}
