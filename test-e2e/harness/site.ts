/** Where the services under test are reached, whatever they run on, and what of them a story may end. */
import type { Stack } from '@vds/testkit/stack/start-stack';
import type { ServiceName } from '@vds/deploy-tools/services';

export type Site = Pick<Stack, 'name' | 'servers' | 'url' | 'rpc' | 'tokens' | 'buckets' | 'adminPool'> & {
  /** HTTP address of every replica of a service by itself. */
  readonly urls: (service: ServiceName) => Promise<readonly string[]>;
  /** Ends every replica in order; the function that it gives starts them again and waits until they are ready. */
  readonly end: (service: ServiceName) => Promise<() => Promise<void>>;
  /** After servers were away: waits until the ways to them lead there again. */
  readonly reconnect: () => Promise<void>;
};

/** A stack of processes of this host. */
export function hostSite(stack: Stack): Site {
  const replicas = (service: ServiceName) => stack.processes.filter((one) => one.service === service);
  return {
    ...stack,
    urls: async (service) => replicas(service).flatMap(({ url }) => url ?? []),
    reconnect: () => Promise.resolve(),
    end: async (service) => {
      await Promise.all(replicas(service).map((one) => one.kill('SIGTERM')));
      return async () => {
        await Promise.all(replicas(service).map((one) => one.restart()));
      };
    },
  };
}
