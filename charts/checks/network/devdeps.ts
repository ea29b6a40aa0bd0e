/**
 * The paths of chart vds-devdeps: its clients and the provisioning Job reach its servers, and its servers reach
 * nothing.
 */
import { endpointOf, endpointsAround, endpointsOfRelease, podAt } from './endpoints.ts';
import type { Network } from './paths.ts';
import { evaluatorOf, policiesOf, type Evaluator, type Peer, type Endpoint, type Policy } from './policy.ts';
import { namespace, releaseNames, type Rendered } from '../release.ts';

type OnOff = { readonly enabled: boolean };
export type DevdepsSettings = Readonly<Record<ServerName, OnOff>> & {
  readonly clients: readonly Peer[];
  readonly networkPolicy: OnOff & {
    readonly dns: { readonly peers: readonly Peer[]; readonly ports: readonly number[] };
  };
};

/** The ports of each server; those for the Job alone come second. */
const servers = {
  postgres: [[5432], []],
  nats: [[4222], [8222]],
  s3: [[7070], []],
  opensearch: [[9200], []],
} as const;
type ServerName = keyof typeof servers;
const names = Object.keys(servers) as ServerName[];

const ofProduct: Peer = { podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'vds' } } };

/** The paths that the chart promises in its values and README. */
export function devdepsNeeds(settings: DevdepsSettings, release: string): Evaluator {
  const pod = (name: string): Peer => ({
    podSelector: { matchLabels: { 'app.kubernetes.io/instance': release, 'app.kubernetes.io/name': name } },
  });
  const job = pod('provision');
  const { peers, ports } = settings.networkPolicy.dns;
  const both = ports.flatMap((port) => (['TCP', 'UDP'] as const).map((protocol) => ({ protocol, port })));
  const list: Policy[] = names.map((name) => {
    const [clientPorts, jobPorts] = servers[name];
    return {
      podSelector: pod(name).podSelector ?? {},
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        { from: clientsOf(settings), ports: tcp(clientPorts) },
        { from: [job], ports: tcp([...clientPorts, ...jobPorts]) },
      ],
    };
  });
  const provision: Policy = {
    podSelector: job.podSelector ?? {},
    policyTypes: ['Ingress', 'Egress'],
    egress: [
      { to: peers, ports: both },
      ...names
        .filter((name) => settings[name].enabled)
        .map((name) => ({ to: [pod(name)], ports: tcp(servers[name].flat()) })),
    ],
  };
  return evaluatorOf({ namespace, list: [...list, provision] });
}

function clientsOf({ clients }: DevdepsSettings): readonly Peer[] {
  return clients.length > 0 ? clients : [ofProduct];
}

function tcp(ports: readonly number[]) {
  return ports.map((port) => ({ protocol: 'TCP', port }));
}

/** The servers and the Job, clients, and the outside world. */
export function devdepsNetwork({ release, resources }: Rendered, settings: DevdepsSettings): Network {
  const ofVds: Endpoint = {
    name: 'pod of vds',
    ip: '10.244.4.1',
    pod: podAt(namespace, { 'app.kubernetes.io/part-of': 'vds' }),
    ports: [],
  };
  const { dns } = settings.networkPolicy;
  const endpoints = [
    ...endpointsOfRelease(resources, namespace),
    ofVds,
    ...settings.clients.map((peer, index) => endpointOf('client', peer, [], namespace, index)),
    ...dns.peers.map((peer, index) => endpointOf('dns', peer, dns.ports, namespace, 100 + index)),
    ...endpointsAround(namespace),
  ];
  return {
    endpoints,
    policies: policiesOf(resources, namespace),
    release: releaseNames[release.chart] ?? release.chart,
  };
}
