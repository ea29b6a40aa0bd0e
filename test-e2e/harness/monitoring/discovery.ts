/**
 * Service discovery for Prometheus (`http_sd_configs`): Debian's Prometheus is built without Kubernetes support. Each
 * pod is scraped through the API server, the one path from outside that every cluster has.
 */
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { command } from '../cluster/command.ts';
import type { Credentials } from '../cluster/credentials.ts';
import type { Monitor } from './monitors.ts';

type Slice = {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  /** Both are null while there is no pod. */
  readonly ports: readonly { readonly name: string; readonly port: number }[] | null;
  readonly endpoints:
    | readonly {
        readonly addresses: readonly string[];
        readonly targetRef?: { readonly kind: string; readonly name: string };
      }[]
    | null;
};
type Endpoint = Monitor['spec']['endpoints'][number];
type Group = { readonly targets: readonly string[]; readonly labels: Readonly<Record<string, string>> };

export type Discovery = { readonly url: string; readonly close: () => Promise<void> };

/** `scrape_configs` for the ServiceMonitors; `url` is the discovery endpoint. */
export function scrapeConfigs(monitors: readonly Monitor[], url: string, { tls }: Credentials): readonly object[] {
  return monitors.flatMap(({ metadata, spec }) =>
    spec.endpoints.map(({ honorLabels, relabelings = [] }, index) => ({
      job_name: `${metadata.name}/${index}`,
      honor_labels: honorLabels ?? false,
      scheme: 'https',
      tls_config: tls,
      http_sd_configs: [{ url: `${url}/${metadata.name}/${index}`, refresh_interval: '5s' }],
      relabel_configs: relabelings.map((one) =>
        Object.fromEntries(Object.entries(one).map(([key, value]) => [snake(key), value])),
      ),
    })),
  );
}

function snake(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Serves on loopback. One query to the cluster serves all ServiceMonitors for a few seconds. */
export async function openDiscovery(
  monitors: readonly Monitor[],
  namespace: string,
  { server: api }: Credentials,
): Promise<Discovery> {
  let cache = { at: -Infinity, slices: Promise.resolve<readonly Slice[]>([]) };
  const slices = (): Promise<readonly Slice[]> => {
    if (performance.now() - cache.at > 3_000) cache = { at: performance.now(), slices: slicesOf(namespace) };
    return cache.slices;
  };
  const groups = async (path: string): Promise<readonly Group[]> => {
    const [, name, index] = path.split('/');
    const spec = monitors.find(({ metadata }) => metadata.name === name)?.spec;
    const endpoint = spec?.endpoints[Number(index)];
    if (spec === undefined || endpoint === undefined) return [];
    const wanted = Object.entries(spec.selector.matchLabels);
    return (await slices())
      .filter(({ metadata }) => wanted.every(([key, value]) => metadata.labels[key] === value))
      .flatMap((slice) => groupsOf(slice, endpoint, namespace, new URL(api).host));
  };
  const server: Server = createServer((request, response) => {
    void groups(request.url ?? '/').then(
      (found) => response.setHeader('content-type', 'application/json').end(JSON.stringify(found)),
      // Prometheus keeps its previous targets.
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function slicesOf(namespace: string): Promise<readonly Slice[]> {
  const text = await command('kubectl', ['--namespace', namespace, 'get', 'endpointslices', '--output', 'json']);
  return (JSON.parse(text) as { items: Slice[] }).items;
}

function groupsOf(slice: Slice, endpoint: Endpoint, namespace: string, api: string): readonly Group[] {
  const service = slice.metadata.labels['kubernetes.io/service-name'] ?? '';
  return (slice.ports ?? [])
    .filter(({ name }) => name === endpoint.port)
    .flatMap(({ port }) =>
      (slice.endpoints ?? []).flatMap(({ addresses, targetRef }) => {
        if (targetRef?.kind !== 'Pod') return [];
        const pod = targetRef.name;
        const path = `/api/v1/namespaces/${namespace}/pods/${pod}:${port}/proxy${endpoint.path}`;
        const labels = { namespace, service, job: service, pod, endpoint: endpoint.port };
        return [{ targets: [api], labels: { ...labels, instance: `${addresses[0]}:${port}`, __metrics_path__: path } }];
      }),
    );
}
