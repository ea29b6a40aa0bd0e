/** The addresses of the services under test, on any target, and the services that a test may stop. */
import type { Stack } from '@vds/testkit/stack/start-stack';
import type { ServiceName } from '@vds/deploy-tools/services';

export type ClientTls = Readonly<Record<'tlsCertFile' | 'tlsKeyFile' | 'tlsCaFile', string>>;

export type Site = Pick<Stack, 'name' | 'servers' | 'url' | 'rpc' | 'tokens' | 'buckets' | 'adminPool'> & {
  /** The certificate with which tests call its services; none by default. */
  readonly clientTls?: ClientTls;
  /** HTTP address of each replica of a service. */
  readonly urls: (service: ServiceName) => Promise<readonly string[]>;
  /** Stops every replica gracefully; the returned function starts them again and waits until they are ready. */
  readonly end: (service: ServiceName) => Promise<() => Promise<void>>;
  /** After an outage of servers: waits until connections to them work again. */
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
