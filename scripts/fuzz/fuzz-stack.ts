/** The target of fuzzing: gateway, auth and catalog as processes, without workers, and keys with maximal limits. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Servers } from '@vds/testkit/servers/servers-file';
import { LARGEST_LIMITS, operatorOf } from '@vds/testkit/stack/operator';
import { startStack } from '@vds/testkit/stack/start-stack';

const vds = fileURLToPath(new URL('../../.vds', import.meta.url));

export type FuzzStack = {
  /** Base address of the gateway. */
  readonly url: string;
  /** A key with both scopes. */
  readonly newKey: () => Promise<string>;
  readonly close: () => Promise<void>;
};

/** Starts the stack on running servers; `close` removes everything that it has on them. */
export async function openFuzzStack(servers: Servers, name: string): Promise<FuzzStack> {
  const stack = await startStack({ dir: join(vds, name), name, servers, services: ['auth', 'catalog', 'gateway'] });
  const operator = operatorOf(stack);
  const publisherId = await operator.publisher('Fuzz', 'Fuzz');
  return {
    url: stack.url('gateway'),
    newKey: () => operator.key(publisherId, LARGEST_LIMITS),
    close: async () => {
      await operator.close();
      await stack.remove();
    },
  };
}
