/**
 * The audit names the person who acted (design, operating): admin ports accept, beside service tokens, the JWT that auth
 * gives a person of the operator's staff for their personal token.
 */
import { auth } from '@vds/proto';
import type { AuthServiceClient } from '@vds/proto/generated/vds/auth/v1/AuthService.ts';
import { errors, jwtVerify } from 'jose';
import { text, type ConfigSpec } from '../config/config.ts';
import { AppError } from '../errors.ts';
import type { Scope } from '../process/run.ts';
import { openKeySet, type KeySet } from './key-set.ts';
import { rpcClient, rpcClientConfig } from './rpc-client.ts';

/** The audience of that JWT: never that of playback tokens, which the same keys sign. */
export const STAFF_AUDIENCE = 'vds-admin';

/** For services that verify staff's tokens. */
export const staffConfig = {
  ...rpcClientConfig,
  /** Address of auth, whose keys verify tokens of staff. */
  authTarget: ['AUTH_RPC', text],
} as const satisfies ConfigSpec;

/** The name of the person whose token this is. @throws AppError UNAUTHENTICATED, or UNAVAILABLE before the first key set */
export type VerifyStaff = (token: string) => Promise<string>;

/** Verifies by the keys of auth, which are fetched when the first person calls: auth may be down at boot. */
export function openStaffVerifier({
  config,
  log,
  own,
}: Pick<Scope<typeof staffConfig>, 'config' | 'log' | 'own'>): VerifyStaff {
  const target = { target: config.authTarget, config, timeoutMs: 2_000, idempotent: ['GetJwks'] };
  const client = own('staff keys', rpcClient<AuthServiceClient>(auth.AuthService, target));
  return staffVerifier(openKeySet({ load: () => client.GetJwks({}), log }));
}

/** Verifies by the given keys. */
export function staffVerifier(keys: Pick<KeySet, 'find' | 'now'>): VerifyStaff {
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, async ({ kid = '' }) => (await keys.find(kid)) ?? unknownToken(), {
        algorithms: ['ES256'],
        audience: STAFF_AUDIENCE,
        requiredClaims: ['sub', 'exp'],
        currentDate: new Date(keys.now()),
        clockTolerance: 30,
      });
      return payload.sub ?? unknownToken();
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new AppError('UNAUTHENTICATED', 'the token of staff has expired');
      if (error instanceof errors.JOSEError || error instanceof SyntaxError || error instanceof TypeError)
        unknownToken();
      throw error;
    }
  };
}

/** @throws AppError UNAUTHENTICATED, always */
export function unknownToken(): never {
  throw new AppError('UNAUTHENTICATED', 'the token is missing, unknown or revoked');
}
