/** The servers behind proxies of one stack, which can lose them while others keep them. */
import { openCuttingProxy, type CuttingProxy } from '../harness/cutting-proxy.ts';
import type { Servers } from './servers-file.ts';

const names = ['postgres', 'nats', 's3', 'opensearch'] as const;
type Ports = Readonly<Record<(typeof names)[number], number>>;
export type Proxies = Readonly<Record<(typeof names)[number], CuttingProxy>>;

/** `proxied`: the servers as the stack sees them; `forwardTo`: new ports of the servers, should they change. */
export async function openProxies(real: Servers) {
  const opened = await Promise.all(names.map(async (name) => [name, await openCuttingProxy()] as const));
  const proxies = Object.fromEntries(opened) as Proxies;
  const forwardTo = (ports: Ports): void => names.forEach((name) => proxies[name].forwardTo(ports[name]));
  forwardTo({
    postgres: real.postgres.port,
    nats: portOf(real.nats.url),
    s3: portOf(real.s3.endpoint),
    opensearch: portOf(real.opensearch?.url),
  });
  const urlOf = (name: (typeof names)[number], scheme: string): string => `${scheme}://127.0.0.1:${proxies[name].port}`;
  const proxied: Servers = {
    ...real,
    postgres: { ...real.postgres, port: proxies.postgres.port },
    nats: { ...real.nats, url: urlOf('nats', 'nats') },
    s3: { ...real.s3, endpoint: urlOf('s3', 'http') },
    opensearch: real.opensearch && { url: urlOf('opensearch', 'http') },
  };
  return {
    proxied,
    proxies,
    forwardTo,
    close: async (): Promise<void> => {
      await Promise.all(names.map((name) => proxies[name].close()));
    },
  };
}

function portOf(url = 'http://127.0.0.1:0'): number {
  return Number(new URL(url).port);
}
