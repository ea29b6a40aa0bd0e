/** auth, as the gateway needs it: who a key belongs to and whether its minute has room. */
import { auth } from '@vds/proto';
import type { AuthorizeReplyOut } from '@vds/proto/generated/vds/auth/v1/AuthorizeReply.ts';
import type { ConfigOf } from '@vds/chassis/config/config';
import { AppError } from '@vds/chassis/errors';
import { rpcClient, type rpcClientConfig } from '@vds/chassis/rpc/rpc-client';

export type Minute = { readonly admitted: boolean; readonly remaining: number; readonly retryAfterSeconds: number };
export type Caller = Pick<AuthorizeReplyOut, 'publisherId' | 'keyId' | 'budgetId' | 'dailyLimit'> & {
  readonly scopes: readonly string[];
  readonly minute: Minute;
};

/** What auth says when a key is no good; its refusal of our own service token has no such reason. */
const BAD_KEY = 'invalid_credentials';

export function openAuth(target: string, config: ConfigOf<typeof rpcClientConfig>, timeoutMs: number) {
  const client = rpcClient(auth.AuthService, { target, config, timeoutMs });
  const isBadKey = (error: unknown): error is AppError =>
    error instanceof AppError && error.code === 'UNAUTHENTICATED' && error.reason === BAD_KEY;
  return {
    /** For the first contact: a key that cannot be any is refused only to who is let in. */
    reach: async (): Promise<void> => {
      try {
        await client.Authorize({ key: '' });
      } catch (error) {
        if (!isBadKey(error)) throw error;
      }
    },
    /**
     * Takes one place in the key's minute.
     * @throws UNAUTHENTICATED (`invalid_credentials`) for any key that is no good, INTERNAL when auth cannot say
     */
    authorize: async (key: string): Promise<Caller> => {
      try {
        const { minute, ...reply } = await client.Authorize({ key });
        if (!minute) throw new AppError('INTERNAL', 'auth answered without a minute');
        return { ...reply, minute };
      } catch (error) {
        if (isBadKey(error)) throw error;
        throw new AppError('INTERNAL', 'auth could not check a key', { cause: error });
      }
    },
    close: client.close,
  };
}
