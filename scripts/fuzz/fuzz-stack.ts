/** The target of fuzzing: gateway, auth and catalog as processes, without workers, and keys with maximal limits. */
import type { Servers } from '@vds/testkit/servers/servers-file';
import { stateFolder } from '@vds/testkit/servers/state-folder';
import { LARGEST_LIMITS, operatorOf } from '@vds/testkit/stack/operator';
import { startStack } from '@vds/testkit/stack/start-stack';

export type FuzzStack = {
  /** Base address of the gateway. */
  readonly url: string;
  /** A key with both scopes. */
  readonly newKey: () => Promise<string>;
  readonly close: () => Promise<void>;
};

/** Starts the stack on running servers; `close` removes everything that it has on them. */
export async function openFuzzStack(servers: Servers, name: string): Promise<FuzzStack> {
  const stack = await startStack({ dir: stateFolder(name), name, servers, services: ['auth', 'catalog', 'gateway'] });
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
