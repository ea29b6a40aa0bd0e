/**
 * Compares the paths that a release's policies open with those that the product's tables require: no more and no fewer.
 */
import type { Rendered } from '../release.ts';
import { namespace, releaseNames } from '../release.ts';
import { OPERATOR } from '@vds/deploy-tools/services';
import { podsOf, selects } from '../resource.ts';
import { endpointsAround, endpointsOfRelease, endpointsOfValues, podAt } from './endpoints.ts';
import {
  evaluatorOf,
  policiesOf,
  rulingPolicies,
  type Evaluator,
  type Packet,
  type Endpoint,
  type Policies,
} from './policy.ts';
import { ports, type Settings } from './settings.ts';

export type Network = {
  readonly endpoints: readonly Endpoint[];
  readonly policies: Policies;
  readonly release: string;
};

/** Tried at every pod beside its own ports: the ports of all components, and ports that no rule covers. */
const tried = [...Object.values(ports), 22];

const ends = [
  ['leaves', 'on the way out'],
  ['enters', 'on the way in'],
] as const;

/**
 * Paths that are open and should not be, and required paths that are closed. Each end is checked separately: an end
 * that is too wide would otherwise be hidden by a correct other end.
 */
export function pathFaults({ endpoints, policies, release }: Network, needs: Evaluator): string[] {
  const is = evaluatorOf(policies);
  const released = new Set(endpoints.filter((one) => one.pod?.labels['app.kubernetes.io/instance'] === release));
  const packets = endpoints.flatMap((from) =>
    endpoints.filter((to) => released.has(from) || released.has(to)).flatMap((to) => packetsBetween(from, to)),
  );
  const wrong = packets.flatMap((packet) =>
    ends.flatMap(([end, direction]) => {
      const needed = needs[end](packet);
      if (is[end](packet) === needed) return [];
      return [
        {
          packet,
          what: needed
            ? `is closed ${direction}, but the tables need it`
            : `is open ${direction}, and no table lists it`,
        },
      ];
    }),
  );
  const alike = Object.groupBy(
    wrong,
    ({ packet, what }) => `${packet.from.name} ${packet.to.name.split(' ')[0]} ${what}`,
  );
  return Object.values(alike).flatMap((same = []) => {
    const [first] = same;
    const more = same.length > 1 ? ` (and ${same.length - 1} more like it)` : '';
    return first ? [`${shown(first.packet)} ${first.what}${more}`] : [];
  });
}

/** Every relevant packet between two endpoints. */
function packetsBetween(from: Endpoint, to: Endpoint): Packet[] {
  const own = to.ports.map(({ port, protocol }) => ({ port, protocol }));
  const more = tried.filter((port) => to.pod && !own.some((one) => one.port === port));
  return [...own, ...more.map((port) => ({ port, protocol: 'TCP' as const }))].map((one) => ({ from, to, ...one }));
}

function shown({ from, to, port, protocol }: Packet): string {
  const portName = to.ports.find((one) => one.port === port)?.name;
  return `${from.name} → ${to.name}, ${portName || port}${protocol === 'UDP' ? '/udp' : ''},`;
}

/** Pods that the policy without rules does not select: it denies what no other policy allows. */
export function undeniedPods({ resources }: Pick<Rendered, 'resources'>, { list }: Policies): string[] {
  const denying = list.filter(({ ingress = [], egress = [] }) => ingress.length + egress.length === 0);
  return podsOf(resources)
    .filter(({ labels }) => denying.every(({ podSelector }) => !selects(podSelector, labels)))
    .map(({ owner }) => `the policy that denies by default does not select ${owner}`);
}

/** Pods that no policy selects, in either direction: everything is allowed for them. */
export function unselectedPods({ resources }: Pick<Rendered, 'resources'>, policies: Policies): string[] {
  return podsOf(resources).flatMap(({ owner, labels }) => {
    const endpoint: Endpoint = {
      name: owner,
      ip: '',
      ports: [],
      pod: { namespace: policies.namespace, namespaceLabels: {}, labels },
    };
    const ways = (['Ingress', 'Egress'] as const).filter((way) => rulingPolicies(policies, endpoint, way).length === 0);
    return ways.map((way) => `no policy rules the ${way.toLowerCase()} of ${owner}`);
  });
}

/**
 * Pods that an umbrella chart starts beside this one, also one that is called like it: they share the release's label, and
 * no policy of ours rules them.
 */
function foreignPods(release: string): Endpoint[] {
  const kinds = [{}, { 'app.kubernetes.io/part-of': 'vds', 'app.kubernetes.io/component': 'database' }];
  return kinds.map((own, index) => ({
    name: `pod ${index + 1} of an umbrella chart`,
    ip: `10.244.1.${240 + index}`,
    pod: podAt(namespace, { 'app.kubernetes.io/instance': release, 'app.kubernetes.io/name': 'foreign', ...own }),
    ports: [],
  }));
}

/**
 * The endpoints of a release of the product: its pods, an operator's pod even if none is rendered, its servers and the
 * world.
 */
export function networkOf({ release, resources }: Rendered, settings: Settings): Network {
  const name = releaseNames[release.chart] ?? release.chart;
  const pods = endpointsOfRelease(resources, namespace);
  const labels = { 'app.kubernetes.io/instance': name, 'app.kubernetes.io/name': OPERATOR };
  const operator: Endpoint = {
    name: OPERATOR,
    ip: '10.244.1.250',
    pod: { namespace, namespaceLabels: { 'kubernetes.io/metadata.name': namespace }, labels },
    ports: [],
  };
  const missing = pods.some((one) => selects({ matchLabels: labels }, one.pod?.labels ?? {})) ? [] : [operator];
  const endpoints = [
    ...pods,
    ...missing,
    ...foreignPods(name),
    ...endpointsOfValues(settings, namespace),
    ...endpointsAround(namespace),
  ];
  return { endpoints, policies: policiesOf(resources, namespace), release: name };
}
