/** A minimal product with correct policies, into which tests inject violations. */
import type { ServiceRow } from '@vds/deploy-tools/services';
import type { Tables } from './reference.ts';
import type { Settings } from './settings.ts';
/** Three services: one with a port for partners, one with a database behind it, one that fetches. */
export const tables: Tables = {
  rows: {
    gateway: row({ ports: ['http'], peers: ['catalog'] }),
    catalog: row({ ports: ['rpc', 'adminRpc'], database: true }),
    ingest: row({ ownsBuckets: ['sources'] }),
  },
  eventServices: new Set(['catalog', 'ingest']),
  appsServices: new Set(['catalog']),
};
export const settings: Settings = {
  external: {
    postgres: { port: 5432, peers: [{ ipBlock: { cidr: '10.0.8.5/32' } }] },
    nats: { url: 'nats://nats:4222', peers: [{ podSelector: { matchLabels: { app: 'nats' } } }] },
    s3: { endpoint: 'https://s3.test', peers: [{ ipBlock: { cidr: '10.0.9.0/24' } }] },
    opensearch: { url: 'https://search.test', peers: [{ ipBlock: { cidr: '10.0.8.8/32' } }] },
    otlp: { endpoint: '' },
  },
  apps: { enabled: true, peers: [{ namespaceSelector: { matchLabels: { name: 'apps' } } }] },
  networkPolicy: {
    enabled: true,
    dns: { peers: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } }] },
    metrics: { peers: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }] },
  },
  ingest: {
    privateSources: ['media.test:443=10.0.3.7:8443'],
    blockedCidrs: ['8.8.8.0/24'],
    nat64Prefixes: [],
    dnsServers: ['10.0.0.53'],
  },
  defaults: { ports: [], peers: [], database: false, events: false, buckets: [], search: false },
  components: {
    gateway: { ports: ['http'], peers: ['catalog'], clients: [{ ipBlock: { cidr: '0.0.0.0/0' } }] },
    catalog: {
      ports: ['rpc', 'adminRpc'],
      servesApps: true,
      database: true,
      postgres: { host: 'db-1.test', peers: [{ ipBlock: { cidr: '10.0.8.6/32' } }] },
      events: true,
    },
    ingest: { buckets: ['sources'], events: true },
  },
};
export const dns =
  '{ to: [{ namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: kube-system } } }], ports: [{ protocol: UDP, port: 53 }, { protocol: TCP, port: 53 }] }';
const metrics =
  '{ from: [{ namespaceSelector: { matchLabels: { name: monitoring } } }], ports: [{ protocol: TCP, port: 9090 }] }';
const outside =
  "{ to: [{ ipBlock: { cidr: 0.0.0.0/0, except: [0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 168.63.129.16/32, 169.254.0.0/16, 172.16.0.0/12, 192.0.0.0/24, 192.0.2.0/24, 192.31.196.0/24, 192.52.193.0/24, 192.88.99.0/24, 192.168.0.0/16, 192.175.48.0/24, 198.18.0.0/15, 198.51.100.0/24, 203.0.113.0/24, 224.0.0.0/4, 240.0.0.0/4, 8.8.8.0/24] } }, { ipBlock: { cidr: '2000::/3', except: ['2001::/23', '2001:db8::/32', '2002::/16'] } }, { ipBlock: { cidr: '64:ff9b::/96', except: ['64:ff9b::/104', '64:ff9b::a00:0/104', '64:ff9b::6440:0/106', '64:ff9b::7f00:0/104', '64:ff9b::a83f:8110/128', '64:ff9b::a9fe:0/112', '64:ff9b::ac10:0/108', '64:ff9b::c000:0/120', '64:ff9b::c000:200/120', '64:ff9b::c01f:c400/120', '64:ff9b::c034:c100/120', '64:ff9b::c058:6300/120', '64:ff9b::c0a8:0/112', '64:ff9b::c0af:3000/120', '64:ff9b::c612:0/111', '64:ff9b::c633:6400/120', '64:ff9b::cb00:7100/120', '64:ff9b::e000:0/100', '64:ff9b::f000:0/100', '64:ff9b::808:800/120'] } }], ports: [{ protocol: TCP }] }";

export const apps = 'namespaceSelector: { matchLabels: { name: apps } }';

/** Documents that open exactly the paths of the tables. */
export const right = [
  deployment('gateway', 8080),
  deployment('catalog', 50_051),
  deployment('ingest', 1234),
  policy(
    'gateway',
    [from(['ipBlock: { cidr: 0.0.0.0/0 }', pod('release-test')], 8080), metrics],
    [dns, to(pod('catalog'), 50_051)],
  ),
  policy(
    'catalog',
    [from([pod('gateway'), apps], 50_051), from([pod('vdsctl')], 50_052), metrics],
    [dns, to('ipBlock: { cidr: 10.0.8.6/32 }', 5432), to('podSelector: { matchLabels: { app: nats } }', 4222)],
  ),
  policy(
    'ingest',
    [metrics],
    [
      dns,
      to('podSelector: { matchLabels: { app: nats } }', 4222),
      to('ipBlock: { cidr: 10.0.9.0/24 }', 443),
      outside,
      to('ipBlock: { cidr: 10.0.3.7/32 }', 8443),
      '{ to: [{ ipBlock: { cidr: 10.0.0.53/32 } }], ports: [{ protocol: UDP, port: 53 }, { protocol: TCP, port: 53 }] }',
    ],
  ),
  policy('vdsctl', [], [dns, to(pod('catalog'), 50_052)]),
];

export function to(peer: string, port: number): string {
  return `{ to: [{ ${peer} }], ports: [{ protocol: TCP, port: ${port} }] }`;
}

function row(own: Partial<ServiceRow>): ServiceRow {
  return {
    database: false,
    ownsBuckets: [],
    readsBuckets: [],
    ports: [],
    peers: [],
    ...own,
  };
}

function labels(name: string): string {
  return `{ app.kubernetes.io/instance: vds, app.kubernetes.io/name: ${name} }`;
}

export function pod(name: string): string {
  return `podSelector: { matchLabels: ${labels(name)} }`;
}

function deployment(name: string, port: number): string {
  return (
    `{ apiVersion: apps/v1, kind: Deployment, metadata: { name: vds-${name} }, spec: { template: { metadata: { labels: ${labels(name)} },` +
    ` spec: { containers: [{ name: ${name}, image: 'a:1', ports: [{ name: admin, containerPort: 9090 }, { name: api, containerPort: ${port} }] }] } } } }`
  );
}

function policy(name: string, ingress: readonly string[], egress: readonly string[]): string {
  return (
    `{ kind: NetworkPolicy, apiVersion: networking.k8s.io/v1, metadata: { name: vds-${name} }, spec: { ${pod(name)}, policyTypes: [Ingress, Egress],` +
    ` ingress: [${ingress.join(', ')}], egress: [${egress.join(', ')}] } }`
  );
}

function from(peers: readonly string[], port: number): string {
  return `{ from: [${peers.map((peer) => `{ ${peer} }`).join(', ')}], ports: [{ protocol: TCP, port: ${port} }] }`;
}
