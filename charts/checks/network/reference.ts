/**
 * The paths that the product requires, from its tables alone: deploy/tools/services.ts and proto/events.ts define who
 * calls whom, stores rows, publishes or consumes events, and reads or writes buckets. Only the peers come from the
 * values.
 */
import { events } from '@vds/proto/events';
import {
  isPublicAddress,
  parseNat64Prefixes,
  parseNetworks,
  wellKnownNat64,
  parsePinnedHosts,
} from '@vds/chassis/net/public-address';
import {
  callersOf,
  OPERATOR,
  rowOf,
  serviceNames,
  type ServiceName,
  type ServiceRow,
} from '@vds/deploy-tools/services';
import {
  evaluatorOf,
  type Evaluator,
  type Packet,
  type Peer,
  type Policy,
  type Policies,
  type PolicyPort,
  type Rule,
} from './policy.ts';
import { postgresOf, serverPorts, type ServerName } from './endpoints.ts';
import { componentSettings, ports, splitAddress, type Settings } from './settings.ts';

/** Fetches partners' sources from the outside; no table contains this, as the other end is no service. */
const fetcher: ServiceName = 'ingest';

/** The platform's apps among the callers of a service; they run outside of the release. */
const APPS = 'apps';

/** The pod of `helm test`: it uses the ports of partners and players. */
const tester = 'release-test';

export type Tables = {
  readonly rows: Readonly<Record<string, ServiceRow>>;
  /** Services that publish or consume events. */
  readonly eventServices: ReadonlySet<string>;
  /** Services that the platform's apps call. */
  readonly appsServices: ReadonlySet<string>;
};

export const tables: Tables = {
  rows: Object.fromEntries(serviceNames.map((name) => [name, rowOf(name)])),
  eventServices: new Set(Object.values(events).flatMap(({ owner, consumers }) => [owner, ...Object.keys(consumers)])),
  appsServices: new Set(serviceNames.filter((name) => callersOf(name).includes(APPS))),
};

export type Scope = { readonly settings: Settings; readonly release: string; readonly tables: Tables };

/** The required paths of a release of the product. */
export function needsOf(scope: Scope, namespace: string): Evaluator {
  const evaluator = evaluatorOf(referencePolicies(scope, namespace));
  return { ...evaluator, leaves: (packet) => evaluator.leaves(packet) || isFetch(scope.settings, packet) };
}

/** The policies that would allow exactly what the tables require, except for the outside. */
function referencePolicies(scope: Scope, namespace: string): Policies {
  return {
    namespace,
    list: [
      ...Object.entries(scope.tables.rows).map(([name, row]) => servicePolicy(name, row, scope)),
      ...toolPolicies(scope),
    ],
  };
}

function servicePolicy(name: string, row: ServiceRow, scope: Scope): Policy {
  const { settings } = scope;
  const { clients = [], egress = [] } = componentSettings(settings, name);
  const callers = Object.keys(scope.tables.rows).filter((other) =>
    scope.tables.rows[other]?.peers.some((peer) => peer === name),
  );
  const apps = settings.apps.enabled && scope.tables.appsServices.has(name) ? settings.apps.peers : [];
  const metrics = settings.networkPolicy.metrics.peers;
  const has = (port: ServiceRow['ports'][number]): boolean => row.ports.includes(port);
  const rules: (readonly [boolean, readonly Peer[], number])[] = [
    [has('http'), [...clients, pod(scope, tester)], ports.http],
    [has('rpc'), [...clients, ...apps, ...callers.map((caller) => pod(scope, caller))], ports.rpc],
    [has('adminRpc'), [pod(scope, OPERATOR)], ports.adminRpc],
    [true, metrics, ports.admin],
  ];
  return {
    podSelector: pod(scope, name).podSelector ?? {},
    policyTypes: ['Ingress', 'Egress'],
    ingress: rules.flatMap(([open, from, port]) => (open && from.length > 0 ? [{ from, ports: tcp(port) }] : [])),
    egress: [
      toDns(settings),
      ...row.peers.map((peer) => ({ to: [pod(scope, peer)], ports: tcp(ports.rpc) })),
      ...(row.database ? [toPostgres(name, settings)] : []),
      ...serversOf(name, scope).map((server) => toServer(server, settings)),
      ...(name === fetcher ? toTrusted(settings) : []),
      ...egress,
    ],
  };
}

function pod({ release }: Scope, name: string): Peer {
  return {
    podSelector: { matchLabels: { 'app.kubernetes.io/instance': release, 'app.kubernetes.io/name': name } },
  };
}

function tcp(...list: readonly number[]): PolicyPort[] {
  return list.map((port) => ({ protocol: 'TCP', port }));
}

function toDns({ networkPolicy: { dns } }: Settings): Rule {
  return { to: dns.peers, ports: both(dns.ports ?? [53]) };
}

function both(list: readonly number[]): PolicyPort[] {
  return list.flatMap((port) => [
    { protocol: 'TCP', port },
    { protocol: 'UDP', port },
  ]);
}

/** The servers of a service besides its database. */
function serversOf(name: string, { settings, tables: { rows, eventServices } }: Scope): ServerName[] {
  const row = rows[name];
  if (!row) return [];
  return [
    ...(eventServices.has(name) ? (['nats'] as const) : []),
    ...(row.ownsBuckets.length + row.readsBuckets.length > 0 ? (['s3'] as const) : []),
    ...(row.search ? (['opensearch'] as const) : []),
    ...(settings.external.otlp.endpoint === '' ? [] : (['otlp'] as const)),
  ];
}

function toPostgres(component: string, settings: Settings): Rule {
  const { peers, ports: open } = postgresOf(settings, component);
  return { to: peers, ports: tcp(...open) };
}

function toServer(name: ServerName, settings: Settings): Rule {
  return {
    to: settings.external[name].peers ?? [],
    ports: tcp(...serverPorts(settings)[name]),
  };
}

/** Internal addresses that the operator lets the fetcher reach; the outside is judged by address, see `needs`. */
function toTrusted({ ingest }: Settings): Rule[] {
  return [
    ...[...parsePinnedHosts(ingest.privateSources).values()].map(({ address, port }) => ({
      to: [exactly(address)],
      ports: tcp(port),
    })),
    ...ingest.dnsServers.map((server) => {
      const { ip, port } = splitAddress(server, 53);
      return { to: [exactly(ip)], ports: both([port]) };
    }),
  ];
}

function exactly(ip: string): Peer {
  return { ipBlock: { cidr: `${ip}/${ip.includes(':') ? 128 : 32}` } };
}

/** The requirements of the other pods: migrations their database, the toolbox and the test pod their ports. */
function toolPolicies(scope: Scope): Policy[] {
  const {
    settings,
    tables: { rows },
  } = scope;
  const withPort = (port: ServiceRow['ports'][number]): Peer[] =>
    Object.entries(rows).flatMap(([name, row]) => (row.ports.includes(port) ? [pod(scope, name)] : []));
  const needs: (readonly [string, Rule])[] = [
    ...Object.entries(rows).flatMap(([name, row]) =>
      row.database ? [[`${name}-migrate`, toPostgres(name, settings)] as const] : [],
    ),
    [OPERATOR, { to: withPort('adminRpc'), ports: tcp(ports.adminRpc) }],
    [tester, { to: withPort('http'), ports: tcp(ports.http) }],
  ];
  return needs.map(([name, rule]) => ({
    podSelector: pod(scope, name).podSelector ?? {},
    policyTypes: ['Ingress', 'Egress'],
    egress: [toDns(settings), rule],
  }));
}

/** Whether a packet fetches a source: over TCP, to an address that the product itself considers public. */
function isFetch({ ingest }: Settings, { from, to, protocol }: Packet): boolean {
  if (from.name !== fetcher || to.pod || protocol !== 'TCP') return false;
  const nat64Prefixes = [wellKnownNat64, ...parseNat64Prefixes(ingest.nat64Prefixes)];
  return isPublicAddress(to.ip, parseNetworks(ingest.blockedCidrs), nat64Prefixes);
}
