/**
 * The paths that the NetworkPolicies of a render open, each as a sentence such as `gateway → auth TCP 50051`. A path
 * between two pods of the release counts where both let it through; the other end of any other path is its peer as JSON.
 */
import { podsOf, selects, type Labels, type Resource, type Selector } from '../resource.ts';

export type Peer = {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
  /** What a host name resolves to, in Cilium's policies. */
  readonly fqdn?: string;
};
export type Port = { readonly protocol?: string; readonly port?: number };
export type Rule = { readonly to?: readonly Peer[]; readonly from?: readonly Peer[]; readonly ports?: readonly Port[] };
type Policy = {
  readonly podSelector: Selector;
  readonly policyTypes: readonly string[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
};
type Pod = { readonly name: string; readonly labels: Labels };
type CiliumPolicy = {
  readonly endpointSelector: Selector;
  readonly egress: readonly {
    readonly toFQDNs?: readonly { readonly matchName: string }[];
    readonly toPorts: readonly { readonly ports: readonly { readonly port: string; readonly protocol: string }[] }[];
  }[];
};

/** What no path to the internet may lead to. */
const PRIVATE = ['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'];

/**
 * Every path that the policies of these resources open.
 * @param more labels of pods that start without being rendered, as those of `kubectl run`
 */
export function openPaths(resources: readonly Resource[], more: readonly Labels[]): Set<string> {
  const policies = resources.flatMap(({ kind, spec }) =>
    kind === 'NetworkPolicy'
      ? [spec as unknown as Policy]
      : kind === 'CiliumNetworkPolicy'
        ? [fromCilium(spec as unknown as CiliumPolicy)]
        : [],
  );
  const pods = podsIn(resources, more);
  const names = new Set(pods.map(({ name }) => name));
  const out = new Set(pods.flatMap((pod) => side('Egress', pod, policies, pods)));
  const into = new Set(pods.flatMap((pod) => side('Ingress', pod, policies, pods)));
  const isInside = (path: string): boolean => path.split(/ → | (?:TCP|UDP|any) /, 2).every((end) => names.has(end));
  const seen = (path: string, other: Set<string>, by: string): string =>
    isInside(path) && !other.has(path) ? `${path}, only on the side of the ${by}` : path;
  const left = [...out].map((path) => seen(path, into, 'caller'));
  return new Set([...left, ...[...into].map((path) => seen(path, out, 'called'))]);
}

/** What Cilium allows by name; its rules for DNS repeat those of the NetworkPolicies, so that its proxy sees the lookups. */
function fromCilium({ endpointSelector, egress }: CiliumPolicy): Policy {
  const rules = egress.flatMap(({ toFQDNs = [], toPorts }) =>
    toFQDNs.length === 0
      ? []
      : toPorts.map(({ ports }) => ({
          to: toFQDNs.map(({ matchName }) => ({ fqdn: matchName })),
          ports: ports.map(({ port, protocol }) => ({ port: Number(port), protocol })),
        })),
  );
  return { podSelector: endpointSelector, policyTypes: ['Egress'], egress: rules };
}

function podsIn(resources: readonly Resource[], more: readonly Labels[]): Pod[] {
  const all = [...podsOf(resources).map(({ labels }) => labels), ...more];
  const byName = new Map(all.map((labels) => [labels['app.kubernetes.io/name'] ?? '', labels]));
  return [...byName].map(([name, labels]) => ({ name, labels }));
}

/** The paths of a pod in one direction: all, where no policy selects it. */
function side(type: 'Ingress' | 'Egress', pod: Pod, policies: readonly Policy[], pods: readonly Pod[]): string[] {
  const path = (other: string, port: string): string =>
    type === 'Egress' ? `${pod.name} → ${other} ${port}` : `${other} → ${pod.name} ${port}`;
  const own = policies.filter(
    ({ podSelector, policyTypes }) => policyTypes.includes(type) && selects(podSelector, pod.labels),
  );
  if (own.length === 0) return [path('anyone', 'any port')];
  const rules = own.flatMap(({ ingress = [], egress = [] }) => (type === 'Ingress' ? ingress : egress));
  return rules.flatMap(({ from, to, ports }) => {
    const peers = (type === 'Ingress' ? from : to) ?? [];
    const others = peers.length === 0 ? ['anyone'] : peers.flatMap((peer) => endsOf(peer, pods));
    return others.flatMap((other) => portsOf(ports).map((port) => path(other, port)));
  });
}

/** The pods of the release that a peer selects, or the peer itself. */
function endsOf(peer: Peer, pods: readonly Pod[]): string[] {
  const { podSelector, namespaceSelector } = peer;
  const selected = podSelector && !namespaceSelector ? pods.filter(({ labels }) => selects(podSelector, labels)) : [];
  return selected.length > 0 ? selected.map(({ name }) => name) : [outside(peer)];
}

/** A peer outside of the release, as paths name it: a range without all that is private is the internet. */
export function outside(peer: Peer): string {
  const { cidr = '', except = [] } = peer.ipBlock ?? {};
  const isPublic = cidr === '0.0.0.0/0' ? PRIVATE.every((range) => except.includes(range)) : except.length > 0;
  return isPublic ? `the internet (${cidr})` : JSON.stringify(peer, sorted);
}

/** A replacer: a peer has one text, whatever the order of its keys. */
function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Ports as paths name them: `TCP 5432`. */
export function portsOf(ports: readonly Port[] | undefined): string[] {
  return ports?.map(({ protocol = 'TCP', port }) => `${protocol} ${port ?? 'any port'}`) ?? ['any port'];
}
