/**
 * The endpoints between which paths are tried: every pod of the release, its servers, and samples of the outside world.
 */
import { isIPv6 } from 'node:net';
import { parsePinnedHosts } from '@vds/chassis/net/public-address';
import { containersOf, podsOf, type Labels, type Resource, type Selector } from '../resource.ts';
import type { Peer, Endpoint } from './policy.ts';
import { componentSettings, portsOf, splitAddress, type Settings } from './settings.ts';

const nameLabel = 'app.kubernetes.io/name';
const namespaceName = 'kubernetes.io/metadata.name';

export type ServerName = 'postgres' | 'nats' | 's3' | 'opensearch' | 'otlp';

/**
 * The first and last address of ranges that no source may be in, and their neighbours; addresses that clouds and
 * clusters use.
 */
const samples: Readonly<Record<string, readonly string[]>> = {
  'outside at': [
    ...['1.1.1.1', '8.8.8.8', '93.184.215.14', '198.41.0.4', '2606:4700::1111', '2a00:1450:4001::8'],
    ...['64:ff9b::808:808', '2001:db8:64::808:808', '2a01:64::808:808'],
  ],
  'border at': [
    ...['0.0.0.1', '9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0', '100.63.255.255', '100.64.0.0'],
    ...['100.127.255.255', '100.128.0.0', '126.255.255.255', '127.0.0.1', '128.0.0.0', '169.253.255.255'],
    ...['169.254.0.0', '169.255.0.0', '172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
    ...['192.0.0.1', '192.0.2.1', '192.88.99.1', '192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'],
    ...['198.17.255.255', '198.18.0.0', '198.19.255.255', '198.20.0.0', '198.51.100.1', '203.0.113.1', '224.0.0.1'],
    ...['240.0.0.1', '255.255.255.255', '168.63.129.15', '168.63.129.16', '168.63.129.17', '::1', '64:ff9b::a00:1'],
    ...['64:ff9b::1', '64:ff9b::c612:ffff', '2001:db8:64::a00:1', '2a01:64::7f00:1', '2a01:64::c633:6401'],
    ...['fc00::1', 'fd00::1', 'fe80::1', 'ff02::1', '2001:db8::1', '2002:a00:1::1', '2001::1', '1fff::1', '4000::1'],
  ],
  'metadata at': ['169.254.169.254', 'fd00:ec2::254'],
  'API at': ['10.96.0.1', '172.31.255.1'],
};
const samplePorts = [22, 53, 80, 443, 6443, 8443];

/** Each kind of pod of the release, with its own address. */
export function endpointsOfRelease(resources: readonly Resource[], namespace: string): Endpoint[] {
  return podsOf(resources).map((pod, index) => ({
    name: pod.labels[nameLabel] ?? pod.owner,
    ip: `10.244.1.${index + 1}`,
    pod: podAt(namespace, pod.labels),
    ports: containersOf(pod).flatMap(({ ports = [] }) =>
      ports.map(({ name = '', containerPort: port }) => ({ name, port, protocol: 'TCP' as const })),
    ),
  }));
}

export function podAt(namespace: string, labels: Labels): NonNullable<Endpoint['pod']> {
  return {
    namespace,
    namespaceLabels: { [namespaceName]: namespace },
    labels,
  };
}

/** The servers in the values, the cluster's DNS, the metrics scraper and the external clients of ports. */
export function endpointsOfValues(settings: Settings, namespace: string): Endpoint[] {
  const shared = Object.entries(serverPorts(settings)).flatMap(([name, ports]) =>
    (settings.external[name as ServerName].peers ?? []).map((peer) => ({ name, peer, ports })),
  );
  const own = Object.keys(settings.components).flatMap((component) => {
    const { host, peers, ports } = postgresOf(settings, component);
    return host ? peers.map((peer) => ({ name: `postgres of ${component}`, peer, ports })) : [];
  });
  const { dns, metrics } = settings.networkPolicy;
  const clients = Object.entries(settings.components).flatMap(([name, { clients: list = [] }]) =>
    list.map((peer) => ({ name: `client of ${name}`, peer, ports: [] })),
  );
  const all = [
    ...shared,
    ...own,
    ...(settings.apps.enabled ? settings.apps.peers.map((peer) => ({ name: 'app', peer, ports: [] })) : []),
    ...dns.peers.map((peer) => ({ name: 'dns', peer, ports: dns.ports ?? [53] })),
    ...metrics.peers.map((peer) => ({ name: 'prometheus', peer, ports: [] })),
    ...clients,
  ];
  return [
    ...all.map(({ name, peer, ports }, index) => endpointOf(name, peer, ports, namespace, index)),
    ...trusted(settings),
  ];
}

/** Ports of each server, and those of its peers where they differ from its address; none without a server. */
export function serverPorts({ external }: Settings): Readonly<Record<ServerName, readonly number[]>> {
  const { postgres, nats, s3, opensearch, otlp } = external;
  return {
    postgres: ownOr(postgres.peerPorts, [postgres.port]),
    nats: ownOr(nats.peerPorts, portsOf(nats.url)),
    s3: ownOr(s3.peerPorts, portsOf(s3.endpoint)),
    opensearch: ownOr(opensearch.peerPorts, portsOf(opensearch.url)),
    otlp: otlp.endpoint === '' ? [] : ownOr(otlp.peerPorts, portsOf(otlp.endpoint)),
  };
}

function ownOr(own: readonly number[] | undefined, others: readonly number[]): readonly number[] {
  return own?.length ? own : others;
}

/** The database server of a component: its own where it has a host, else the shared one; `host` is its own. */
export function postgresOf(
  settings: Settings,
  component: string,
): { readonly host: string; readonly peers: readonly Peer[]; readonly ports: readonly number[] } {
  const shared = settings.external.postgres;
  const { host = '', port = 0, peers = [], peerPorts } = componentSettings(settings, component).postgres ?? {};
  const ports = ownOr(peerPorts, port || host ? [port || shared.port] : serverPorts(settings).postgres);
  return { host, peers: host ? peers : (shared.peers ?? []), ports };
}

/** A endpoint that matches a peer of the values. */
export function endpointOf(
  name: string,
  peer: Peer,
  ports: readonly number[],
  namespace: string,
  index: number,
): Endpoint {
  if (peer.ipBlock) return listening(name, addressIn(peer.ipBlock.cidr), ports);
  const namespaceLabels = peer.namespaceSelector ? labelsFor(peer.namespaceSelector) : { [namespaceName]: namespace };
  return {
    ...listening(name, `10.244.2.${index + 1}`, ports),
    pod: {
      namespace: namespaceLabels[namespaceName] ?? 'elsewhere',
      namespaceLabels,
      labels: labelsFor(peer.podSelector ?? {}),
    },
  };
}

function listening(name: string, ip: string, ports: readonly number[]): Endpoint {
  return {
    name,
    ip,
    ports: ports.flatMap((port) => (['TCP', 'UDP'] as const).map((protocol) => ({ name: '', port, protocol }))),
  };
}

/** The first usable host address of a range. */
function addressIn(cidr: string): string {
  const [network = '', bits] = cidr.split('/');
  if (bits === '32' || bits === '128') return network;
  if (isIPv6(network)) return network.endsWith('::') ? `${network}7` : network;
  if (bits === '0') return '198.41.0.4';
  return network.replace(/\d+$/, (last) => String(Number(last) + 1));
}

/** Labels that a selector matches. */
function labelsFor({ matchLabels = {}, matchExpressions = [] }: Selector): Labels {
  return {
    ...matchLabels,
    ...Object.fromEntries(
      matchExpressions.flatMap(({ key, operator, values = [] }) =>
        operator === 'In' || operator === 'Exists' ? [[key, values[0] ?? 'any']] : [],
      ),
    ),
  };
}

/** Internal sources and DNS servers that the operator opens, each also tried with a neighbouring port. */
function trusted({ ingest }: Settings): Endpoint[] {
  return [
    ...[...parsePinnedHosts(ingest.privateSources).values()].map(({ address, port }) =>
      listening('private source', address, [port, port + 1]),
    ),
    ...ingest.dnsServers.map((server) => {
      const { ip, port } = splitAddress(server, 53);
      return listening('DNS server', ip, [port, port + 1]);
    }),
  ];
}

export function endpointsAround(namespace: string): Endpoint[] {
  return [
    { name: 'unrelated pod beside it', ip: '10.244.3.1', pod: podAt(namespace, { app: 'unrelated' }), ports: [] },
    { name: 'unrelated pod elsewhere', ip: '10.244.3.2', pod: podAt('elsewhere', { app: 'unrelated' }), ports: [] },
    ...Object.entries(samples).flatMap(([name, ips]) => ips.map((ip) => listening(`${name} ${ip}`, ip, samplePorts))),
  ];
}
