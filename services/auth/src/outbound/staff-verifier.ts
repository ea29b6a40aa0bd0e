/** Who calls auth's own admin port: a person by their personal token, which only auth accepts, or by the JWT made of it. */
import type { JwksOut } from '@vds/proto/generated/vds/auth/v1/Jwks.ts';
import type { Executor } from '@vds/chassis/database/database';
import { openKeySet } from '@vds/chassis/rpc/key-set';
import { staffVerifier, unknownToken, type VerifyStaff } from '@vds/chassis/rpc/staff';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { KeyRing } from './key-ring.ts';
import { staffOfToken } from './staff.ts';

type Options = { readonly pool: Executor; readonly loadKeys: () => Promise<JwksOut>; readonly log: Logger };

export function personVerifier({ pool, loadKeys, log }: Options): VerifyStaff {
  const verifyJwt = staffVerifier(openKeySet({ load: loadKeys, log }));
  return async (token) =>
    token.startsWith('svc_staff_') ? ((await staffOfToken(pool, token)) ?? unknownToken()) : verifyJwt(token);
}

/** The key set as verifiers get it, with the time by which tokens expire. */
export async function currentKeys(keyRing: Pick<KeyRing, 'jwks'>, maxAgeMs: number): Promise<JwksOut> {
  return { json: await keyRing.jwks(), maxAgeSeconds: Math.ceil(maxAgeMs / 1_000), nowMs: Date.now() };
}
