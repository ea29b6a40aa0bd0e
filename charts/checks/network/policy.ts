/** What NetworkPolicies allow, by Kubernetes' own rules: pure, for one packet from one endpoint to another. */
import { BlockList, isIPv6 } from 'node:net';
import { selects, type Labels, type Resource, type Selector } from '../resource.ts';

export type Peer = {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
};
export type Protocol = 'TCP' | 'UDP';
export type PolicyPort = { readonly protocol?: string; readonly port?: number | string; readonly endPort?: number };
export type Rule = {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly PolicyPort[];
};
export type Policy = {
  readonly podSelector: Selector;
  readonly policyTypes?: readonly string[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
};

/** A possible sender or receiver of packets. */
export type Endpoint = {
  readonly name: string;
  readonly ip: string;
  /** For a pod: its namespace and labels. */
  readonly pod?: { readonly namespace: string; readonly namespaceLabels: Labels; readonly labels: Labels };
  /** Its ports, by the names of the pod's containers or our own. */
  readonly ports: readonly { readonly name: string; readonly port: number; readonly protocol: Protocol }[];
};
export type Packet = {
  readonly from: Endpoint;
  readonly to: Endpoint;
  readonly port: number;
  readonly protocol: Protocol;
};

const lists = new Map<string, BlockList>();

export type Policies = { readonly namespace: string; readonly list: readonly Policy[] };

/** The two ends of a path: whether a packet may leave its sender, and enter its receiver. */
export type Evaluator = Readonly<Record<'leaves' | 'enters', (packet: Packet) => boolean>>;

/** The decisions of these policies; both ends must allow a packet. */
export function evaluatorOf(policies: Policies): Evaluator {
  const known = { Ingress: new Map<Endpoint, Policy[]>(), Egress: new Map<Endpoint, Policy[]>() };
  const ruling = (endpoint: Endpoint, way: 'Ingress' | 'Egress'): Policy[] => {
    const list = known[way].get(endpoint) ?? rulingPolicies(policies, endpoint, way);
    known[way].set(endpoint, list);
    return list;
  };
  const passes = (
    list: readonly Policy[],
    rulesOf: (policy: Policy) => readonly Rule[],
    open: (rule: Rule) => boolean,
  ) => list.length === 0 || list.some((policy) => rulesOf(policy).some(open));
  return {
    leaves: (packet) =>
      passes(
        ruling(packet.from, 'Egress'),
        ({ egress = [] }) => egress,
        ({ to, ports }) => portMeets(ports, packet) && peerMeets(to, packet.to, policies.namespace),
      ),
    enters: (packet) =>
      passes(
        ruling(packet.to, 'Ingress'),
        ({ ingress = [] }) => ingress,
        ({ from, ports }) => portMeets(ports, packet) && peerMeets(from, packet.from, policies.namespace),
      ),
  };
}

/** The policies that select a endpoint for one direction; none if it is unrestricted. */
export function rulingPolicies({ namespace, list }: Policies, endpoint: Endpoint, way: 'Ingress' | 'Egress'): Policy[] {
  return endpoint.pod?.namespace === namespace
    ? list.filter((policy) => isFor(policy, way) && selects(policy.podSelector, endpoint.pod?.labels ?? {}))
    : [];
}

/** Kubernetes' default: a policy applies to ingress, and to egress if it has egress rules. */
function isFor({ policyTypes, egress }: Policy, way: 'Ingress' | 'Egress'): boolean {
  return (policyTypes ?? ['Ingress', ...(egress ? ['Egress'] : [])]).includes(way);
}

/** A rule without peers matches every peer, and one without ports every port: an empty list is the same as none. */
function portMeets(ports: readonly PolicyPort[] | undefined, { to, port, protocol }: Packet): boolean {
  if (!ports || ports.length === 0) return true;
  return ports.some((one) => {
    if ((one.protocol ?? 'TCP') !== protocol) return false;
    if (one.port === undefined) return true;
    if (typeof one.port === 'string') return to.ports.some(({ name, port: own }) => name === one.port && own === port);
    return one.endPort === undefined ? one.port === port : one.port <= port && port <= one.endPort;
  });
}

function peerMeets(peers: readonly Peer[] | undefined, endpoint: Endpoint, namespace: string): boolean {
  return !peers || peers.length === 0 || peers.some((peer) => meets(peer, endpoint, namespace));
}

/** Whether a peer matches this endpoint; `namespace` is that of the policy. */
export function meets(peer: Peer, endpoint: Endpoint, namespace: string): boolean {
  const { ipBlock, namespaceSelector, podSelector } = peer;
  if (ipBlock) {
    return inRange(endpoint.ip, ipBlock.cidr) && !(ipBlock.except ?? []).some((cidr) => inRange(endpoint.ip, cidr));
  }
  const { pod } = endpoint;
  if (!pod) return false;
  const there = namespaceSelector ? selects(namespaceSelector, pod.namespaceLabels) : pod.namespace === namespace;
  return there && selects(podSelector ?? {}, pod.labels);
}

/** Whether an address is in a range; ranges are parsed once. */
export function inRange(ip: string, cidr: string): boolean {
  const [network = '', bits = ''] = cidr.split('/');
  const family = isIPv6(network) ? 'ipv6' : 'ipv4';
  if (isIPv6(ip) !== (family === 'ipv6')) return false;
  let list = lists.get(cidr);
  if (!list) {
    list = new BlockList();
    list.addSubnet(network, Number(bits), family);
    lists.set(cidr, list);
  }
  return list.check(ip, family);
}

export function policiesOf(resources: readonly Resource[], namespace: string): Policies {
  return {
    namespace,
    list: resources.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec as unknown as Policy),
  };
}
