/** The cluster's nodes: which of them may be taken away, and what runs on them. */
import { lookup } from 'node:dns/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getJson, isTerminating, kubectl, release, type Pod } from './release.ts';
import { root } from './command.ts';

type Node = {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly unschedulable?: boolean; readonly taints?: readonly { readonly effect: string }[] };
  readonly status: {
    readonly addresses: readonly { readonly address: string }[];
    readonly conditions: readonly { readonly type: string; readonly status: string }[];
  };
};

/** Nodes that take pods. */
export async function usableNodes(): Promise<readonly Node[]> {
  const { items } = await getJson<{ items: Node[] }>(['nodes']);
  return items.filter(
    ({ spec, status }) =>
      spec.unschedulable !== true &&
      !(spec.taints ?? []).some(({ effect }) => effect !== 'PreferNoSchedule') &&
      status.conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
  );
}

/** The zone of a node, or its name. */
export function zoneOf({ metadata }: Node): string {
  return metadata.labels['topology.kubernetes.io/zone'] ?? metadata.name;
}

/** Usable nodes without a server of the release, and without the address that the tests' requests go to. */
export async function dispensableNodes(): Promise<ReadonlySet<string>> {
  const servers = await getJson<{ items: Pod[] }>([
    'pods',
    '--selector',
    `app.kubernetes.io/instance=${release.servers}`,
  ]);
  const needed = new Set(servers.items.map(({ spec }) => spec.nodeName));
  const { address } = await lookup(new URL(release.gatewayUrl).hostname);
  const free = (await usableNodes()).filter(
    ({ metadata, status }) => !needed.has(metadata.name) && !status.addresses.some((one) => one.address === address),
  );
  return new Set(free.map(({ metadata }) => metadata.name));
}

/** Where each pod of the release is, by its name. */
export async function placesOf(component: string): Promise<ReadonlyMap<string, string>> {
  const selector = `app.kubernetes.io/instance=${release.name},app.kubernetes.io/name=${component}`;
  const { items } = await getJson<{ items: Pod[] }>(['pods', '--selector', selector]);
  return new Map(
    items
      .filter((pod) => !isTerminating(pod))
      .flatMap(({ metadata, spec }) => (spec.nodeName ? [[metadata.name, spec.nodeName]] : [])),
  );
}

/** Takes every pod off a node, as before maintenance, and gives the node back. */
export async function drain(node: string): Promise<void> {
  try {
    await kubectl(['drain', node, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout', '600s']);
  } finally {
    await kubectl(['uncordon', node]);
  }
}

/** Runs the operator's command that makes a node vanish; `VDS_KILL_NODE` gets the node's name as its last argument. */
export async function killNode(command: string, node: string): Promise<void> {
  const child = spawn('sh', ['-c', `${command} "$1"`, 'sh', node], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${command} ${node} ended with ${code}`);
}
