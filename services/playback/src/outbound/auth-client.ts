/** Client of auth: the keys that verify playback tokens. */
import { auth } from '@vds/proto';
import type { JwksOut } from '@vds/proto/generated/vds/auth/v1/Jwks.ts';
import type { ConfigOf } from '@vds/chassis/config/config';
import { rpcClient, type rpcClientConfig } from '@vds/chassis/rpc/rpc-client';

export function openAuthClient(target: string, config: ConfigOf<typeof rpcClientConfig>, timeoutMs: number) {
  const client = rpcClient(auth.AuthService, { target, config, timeoutMs, idempotent: ['GetJwks'] });
  return { getJwks: (): Promise<JwksOut> => client.GetJwks({}), close: client.close };
}
