/**
 * The paths that a release needs, from the tables of the product alone: deploy/tools/services.ts has who calls whom, who
 * has a database and buckets, proto/events.ts who uses NATS. The values say only where the outside is.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { events } from '@vds/proto/events';
import { OPERATOR, rowOf, serviceNames, type PortName, type ServiceName } from '@vds/deploy-tools/services';
import type { Labels } from '../resource.ts';
import { merged, type Tree } from '../../../generate/chart-values.ts';
import type { Release } from '../release.ts';
import { outside, portsOf, type Peer, type Rule } from './policies.ts';

type Peers = { readonly peers: readonly Peer[] };
type Server = Peers & { readonly peerPorts: readonly number[]; readonly policy: 'peers' | 'port' | 'fqdn' };
type Postgres = Server & { readonly host: string; readonly port: number };
type Component = {
  readonly clients: readonly Peer[];
  readonly egress: readonly Rule[];
  readonly postgres: Postgres;
};
export type Values = {
  readonly external: Readonly<Record<'nats' | 'opensearch', Server & { readonly url: string }>> &
    Readonly<Record<'s3' | 'otlp', Server & { readonly endpoint: string }>> & {
      readonly postgres: Postgres;
    };
  readonly migrations: { readonly postgres: Postgres };
  readonly apps: Peers & { readonly enabled: boolean };
  readonly edge: { readonly enabled: boolean };
  readonly networkPolicy: {
    readonly enabled: boolean;
    readonly dns: Peers & { readonly ports: readonly number[] };
    readonly metrics: Peers;
  };
  readonly ingest: Readonly<Record<'privateSources' | 'dnsServers' | 'nat64Prefixes', readonly string[]>>;
  readonly defaults: Component;
  readonly components: Readonly<Record<string, Tree | null>>;
};

/** Fetches partners' sources: no table has this, as the other end is no service. */
const FETCHER: ServiceName = 'ingest';
/** The pod of `helm test`: a partner and a player. */
const TESTER = 'release-test';
/** nginx in front of a service, and the service: no table has it, as it is optional. */
const EDGE = 'edge';
const BEHIND: ServiceName = 'playback';
const numbers: Readonly<Record<PortName | 'admin', number>> = {
  http: 8080,
  rpc: 50_051,
  adminRpc: 50_052,
  admin: 9090,
};
const usualPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'nats:': 4222, 'tls:': 4222 };
const usesEvents = new Set<string>(
  Object.values(events).flatMap(({ owner, consumers }) => [owner, ...Object.keys(consumers)]),
);

/** The values of a release: the chart's, and over them its own. */
export function valuesOf(root: string, { chart, values }: Release): Values {
  const read = (path: string): Tree => (parse(readFileSync(join(root, path), 'utf8')) ?? {}) as Tree;
  return merged(read(`charts/${chart}/values.yaml`), read(values)) as unknown as Values;
}

/** Pods of a release that not every render contains: tools, and migrations that others run. */
export function shortLivedPods(release: string, values: Values): Labels[] {
  return [OPERATOR, TESTER, ...present(values).flatMap(migrationOf)].map((name) => ({
    'app.kubernetes.io/instance': release,
    'app.kubernetes.io/name': name,
  }));
}

function present({ components }: Values): ServiceName[] {
  return serviceNames.filter((name) => components[name] && components[name]['enabled'] !== false);
}

/** Every path that the release needs, as `openPaths` names them. */
export function neededPaths(values: Values): Set<string> {
  const { networkPolicy } = values;
  const services = present(values);
  const edge = values.edge.enabled ? [EDGE] : [];
  const resolvers = [OPERATOR, TESTER, ...edge, ...services, ...services.flatMap(migrationOf)];
  return new Set([
    ...paths(resolvers, networkPolicy.dns.peers.map(outside), both(networkPolicy.dns.ports)),
    ...(values.edge.enabled ? pathsToEdge(values) : []),
    ...services.flatMap((name) => [
      ...pathsTo(name, values, services),
      ...pathsToServers(name, values),
      ...(name === FETCHER ? pathsToSources(values) : []),
    ]),
  ]);
}

function paths(from: readonly string[], to: readonly string[], ports: readonly string[]): string[] {
  return from.flatMap((one) => to.flatMap((other) => ports.map((port) => `${one} → ${other} ${port}`)));
}

function both(ports: readonly number[]): string[] {
  return ports.flatMap((port) => [`UDP ${port}`, `TCP ${port}`]);
}

function migrationOf(name: ServiceName): string[] {
  return rowOf(name).database ? [`${name}-migrate`] : [];
}

function componentOf({ defaults, components }: Values, name: ServiceName): Component {
  return merged(defaults, components[name] ?? {}) as unknown as Component;
}

/** Who reaches the edge: the clients of the service behind it, and what scrapes it. */
function pathsToEdge(values: Values): string[] {
  const { clients } = componentOf(values, BEHIND);
  return [
    ...paths([...clients.map(outside), TESTER], [EDGE], [`TCP ${numbers.http}`]),
    ...paths(values.networkPolicy.metrics.peers.map(outside), [EDGE], [`TCP ${numbers.admin}`]),
  ];
}

/** Who reaches a service: its callers, and from outside its clients, the apps, and what scrapes it. */
function pathsTo(name: ServiceName, values: Values, services: readonly ServiceName[]): string[] {
  const { ports, apps: hasApps = false } = rowOf(name);
  const clients = componentOf(values, name).clients.map(outside);
  const apps = hasApps && values.apps.enabled ? values.apps.peers.map(outside) : [];
  const callers: Readonly<Record<PortName, readonly string[]>> = {
    http: [...clients, name === BEHIND && values.edge.enabled ? EDGE : TESTER],
    rpc: [...clients, ...apps, ...services.filter((caller) => rowOf(caller).peers.includes(name))],
    adminRpc: [OPERATOR],
  };
  return [
    ...ports.flatMap((port) => paths(callers[port], [name], [`TCP ${numbers[port]}`])),
    ...paths(values.networkPolicy.metrics.peers.map(outside), [name], [`TCP ${numbers.admin}`]),
  ];
}

function pathsToServers(name: ServiceName, values: Values): string[] {
  const { database, ownsBuckets, readsBuckets, search } = rowOf(name);
  const { nats, s3, opensearch, otlp } = values.external;
  const to = (from: readonly string[], server: Server, address: string): string[] => {
    const ports = server.peerPorts.length > 0 ? server.peerPorts : urlPorts(address);
    return paths(from, endsOf(server, address), portsOf(ports.map((port) => ({ port }))));
  };
  const toPostgres = (from: readonly string[], server: Postgres): string[] =>
    to(from, server, `postgresql://${server.host}:${server.port}`);
  const postgres = postgresOf(values, name);
  const { postgres: direct } = values.migrations;
  const isPastPooler = direct.host !== '' && componentOf(values, name).postgres.host === '';
  return [
    ...(database ? toPostgres([name], postgres) : []),
    ...(database ? toPostgres(migrationOf(name), isPastPooler ? direct : postgres) : []),
    ...(usesEvents.has(name) ? to([name], nats, nats.url) : []),
    ...(ownsBuckets.length + readsBuckets.length > 0 ? to([name], s3, s3.endpoint) : []),
    ...(search ? to([name], opensearch, opensearch.url) : []),
    ...(otlp.endpoint === '' ? [] : to([name], otlp, otlp.endpoint)),
    ...componentOf(values, name).egress.flatMap((rule) =>
      paths([name], (rule.to ?? []).map(outside), portsOf(rule.ports)),
    ),
  ];
}

/** Where a policy lets a server be: at its peers, anywhere, or where its names lead. */
function endsOf({ policy, peers }: Server, addresses: string): string[] {
  if (policy === 'peers') return peers.map(outside);
  if (policy === 'port') return ['0.0.0.0/0', '::/0'].map((cidr) => outside({ ipBlock: { cidr } }));
  return addresses.split(',').map((address) => outside({ fqdn: new URL(address).hostname }));
}

/** A database on a server of its own has the peers of that server. */
function postgresOf(values: Values, name: ServiceName): Postgres {
  const { postgres: shared } = values.external;
  const { postgres: own } = componentOf(values, name);
  return {
    host: own.host === '' ? shared.host : own.host,
    policy: own.host === '' ? shared.policy : own.policy,
    port: own.port === 0 ? shared.port : own.port,
    peers: own.host === '' ? shared.peers : own.peers,
    peerPorts: own.host === '' && own.port === 0 && own.peerPorts.length === 0 ? shared.peerPorts : own.peerPorts,
  };
}

/** The ports of an address, or of several between commas. */
function urlPorts(addresses: string): number[] {
  return addresses.split(',').map((address) => {
    const { port, protocol } = new URL(address);
    return port === '' ? (usualPorts[protocol] ?? 0) : Number(port);
  });
}

/** The internet, and what the operator allows beside it: private sources and DNS servers. */
function pathsToSources({ ingest }: Values): string[] {
  const ranges = ['0.0.0.0/0', '2000::/3', '64:ff9b::/96', ...ingest.nat64Prefixes];
  const exactly = (text: string, usual: number): { readonly to: string; readonly port: number } => {
    const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? [];
    const ip = bracketed ?? plain ?? text;
    return { to: outside({ ipBlock: { cidr: `${ip}/${ip.includes(':') ? 128 : 32}` } }), port: Number(port ?? usual) };
  };
  return [
    ...ranges.flatMap((range) => paths([FETCHER], [`the internet (${range})`], ['TCP any port'])),
    ...ingest.privateSources.flatMap((source) => {
      const [host = '', address = ''] = source.split('=');
      const { to, port } = exactly(address, Number(host.slice(host.lastIndexOf(':') + 1)));
      return paths([FETCHER], [to], [`TCP ${port}`]);
    }),
    ...ingest.dnsServers.flatMap((server) => {
      const { to, port } = exactly(server, 53);
      return paths([FETCHER], [to], both([port]));
    }),
  ];
}
