/** The release under test: its names, its addresses, and queries about its cluster. */
import { serviceNames } from '@vds/deploy-tools/services';
import { command } from './command.ts';

/** The release of the product, that of its single-node servers, and the addresses of their HTTP endpoints. */
export const release = {
  namespace: process.env['VDS_NAMESPACE'] ?? 'vds-e2e',
  name: 'vds',
  servers: 'deps',
  gatewayUrl: process.env['VDS_GATEWAY_URL'] ?? 'http://127.0.0.1:30080',
  playbackUrl: process.env['VDS_PLAYBACK_URL'] ?? 'http://127.0.0.1:30081',
} as const;

export type Pod = {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  /** Absent until it is scheduled. */
  readonly spec: { readonly nodeName?: string };
  readonly status: {
    readonly phase: string;
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly { readonly restartCount: number; readonly imageID: string }[];
  };
};

/** Applies the manifests; each names its namespace. */
export async function apply(...manifests: object[]): Promise<void> {
  const list = { apiVersion: 'v1', kind: 'List', items: manifests };
  await command('kubectl', ['apply', '--server-side', '--force-conflicts', '--filename', '-'], JSON.stringify(list));
}

/** Pods of a component that are not terminating. */
export async function podsOf(component: string): Promise<readonly Pod[]> {
  return (await allPodsOf(component)).filter((pod) => !isTerminating(pod));
}

/** Every pod of a component, including terminating ones. */
export async function allPodsOf(component: string): Promise<readonly Pod[]> {
  return (await getJson<{ items: Pod[] }>(['pods', '--selector', selector(component)])).items;
}

/** The output of `kubectl get … -o json`, parsed. */
export async function getJson<T>(args: readonly string[]): Promise<T> {
  return JSON.parse(await kubectl(['get', ...args, '--output', 'json'])) as T;
}

/** kubectl in the release's namespace. */
export function kubectl(args: readonly string[], input = ''): Promise<string> {
  return command('kubectl', ['--namespace', release.namespace, ...args], input);
}

function selector(component: string): string {
  return `app.kubernetes.io/instance=${release.name},app.kubernetes.io/name=${component}`;
}

/** Whether a pod is terminating. */
export function isTerminating({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Whether a pod would receive traffic. */
export function isReady({ status }: Pod): boolean {
  return status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}

/** Whether every component has pods, all of them ready. */
export async function allPodsReady(): Promise<boolean> {
  const pods = await Promise.all(serviceNames.map(podsOf));
  return pods.every((list) => list.length > 0 && list.every(isReady));
}

/** Values of one Secret, decoded. */
export async function secretOf(name: string): Promise<Readonly<Record<string, string>>> {
  const { data } = await getJson<{ data: Record<string, string> }>(['secret', name]);
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));
}
