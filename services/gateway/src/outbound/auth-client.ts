/** Client of auth: authenticates API keys and counts requests against their minute limit. */
import { auth } from '@vds/proto';
import type { AuthorizeReplyOut } from '@vds/proto/generated/vds/auth/v1/AuthorizeReply.ts';
import type { MinuteWindowOut } from '@vds/proto/generated/vds/auth/v1/MinuteWindow.ts';
import type { ConfigOf } from '@vds/chassis/config/config';
import { AppError } from '@vds/chassis/errors';
import { rpcClient, type rpcClientConfig } from '@vds/chassis/rpc/rpc-client';

/** The publisher of a key, and the rest of its minute. */
export type Caller = Omit<AuthorizeReplyOut, 'minute'> & { readonly minute: MinuteWindowOut };

export function openAuthClient(target: string, config: ConfigOf<typeof rpcClientConfig>, timeoutMs: number) {
  // Authorize too: attempts with the same request id are counted once.
  const client = rpcClient(auth.AuthService, { target, config, timeoutMs, idempotent: ['Authorize'] });
  return {
    /** Startup check: passes once auth accepts the service token and rejects an empty key. */
    reach: async (): Promise<void> => {
      try {
        await client.Authorize({ key: '' });
      } catch (error) {
        if (!isInvalidKey(error)) throw error;
      }
    },
    /**
     * Authenticates a key and counts the request, once for each id.
     * @throws UNAUTHENTICATED (`invalid_credentials`) for an invalid key, INTERNAL when auth fails
     */
    authorize: async (key: string, requestId: string): Promise<Caller> => {
      try {
        const { minute, ...reply } = await client.Authorize({ key, requestId });
        if (!minute) throw new AppError('INTERNAL', 'auth replied without a minute window');
        return { ...reply, minute };
      } catch (error) {
        if (isInvalidKey(error)) throw error;
        throw new AppError('INTERNAL', 'auth could not check a key', { cause: error });
      }
    },
    close: client.close,
  };
}

/** An invalid service token is UNAUTHENTICATED as well, but without this reason. */
function isInvalidKey(error: unknown): boolean {
  return error instanceof AppError && error.code === 'UNAUTHENTICATED' && error.reason === 'invalid_credentials';
}
