/** The target of fuzzing: gateway, auth and catalog as processes, without workers, and keys with maximal limits. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { auth } from '@vds/proto';
import type { AuthAdminClient } from '@vds/proto/generated/vds/auth/v1/AuthAdmin.ts';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import type { Servers } from '@vds/testkit/servers/servers-file';
import { startStack } from '@vds/testkit/stack/start-stack';
import { noTls } from '@vds/testkit/harness/rpc-callers';

/** The maximum that auth allows a key: a run sends fewer requests in any minute. */
const MINUTE_LIMIT = 10_000;
const DAILY_LIMIT = 1_000_000;

const vds = fileURLToPath(new URL('../../.vds', import.meta.url));

export type FuzzStack = {
  /** Base address of the gateway. */
  readonly url: string;
  /** A key of a new publisher, with both scopes. */
  readonly newKey: () => Promise<string>;
  readonly close: () => Promise<void>;
};

/** Starts the stack on running servers; `close` removes everything that it has on them. */
export async function openFuzzStack(servers: Servers, name: string): Promise<FuzzStack> {
  const stack = await startStack({ dir: join(vds, name), name, servers, services: ['auth', 'catalog', 'gateway'] });
  const config = { rpcToken: stack.tokens.vdsctl, ...noTls };
  const keys = rpcClient<AuthAdminClient>(auth.AuthAdmin, { target: stack.rpc('auth', 'adminRpc'), config });
  return {
    url: stack.url('gateway'),
    newKey: async () => {
      const { id: publisherId } = await keys.CreatePublisher({ name: 'Fuzz', organization: 'Fuzz' });
      const limits = { minuteLimit: MINUTE_LIMIT, dailyLimit: DAILY_LIMIT };
      const scopes = ['videos:read', 'videos:write'];
      return (await keys.IssueKey({ publisherId, scopes, ...limits })).secretKey;
    },
    close: async () => {
      await keys.close();
      await stack.remove();
    },
  };
}
