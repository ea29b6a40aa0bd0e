/** The release under test: its names, where it is, and questions to its cluster. */
import { command } from './command.ts';

/** The release of the product, that of its single-node servers, and the addresses at which their HTTP doors are reached. */
export const release = {
  namespace: process.env['VDS_NAMESPACE'] ?? 'vds-e2e',
  name: 'vds',
  servers: 'deps',
  gatewayUrl: process.env['VDS_GATEWAY_URL'] ?? 'http://127.0.0.1:30080',
  playbackUrl: process.env['VDS_PLAYBACK_URL'] ?? 'http://127.0.0.1:30081',
} as const;

/** kubectl in the release's namespace. */
export const kubectl = (args: readonly string[], input = ''): Promise<string> =>
  command('kubectl', ['--namespace', release.namespace, ...args], input);

/** What `kubectl get … -o json` says. */
export const getJson = async <T>(args: readonly string[]): Promise<T> =>
  JSON.parse(await kubectl(['get', ...args, '--output', 'json'])) as T;

/** Creates or changes what the manifests say; each names its namespace. */
export const apply = async (...manifests: object[]): Promise<void> => {
  const list = { apiVersion: 'v1', kind: 'List', items: manifests };
  await command('kubectl', ['apply', '--server-side', '--force-conflicts', '--filename', '-'], JSON.stringify(list));
};

export type Pod = {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly status: {
    readonly phase: string;
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly { readonly restartCount: number; readonly imageID: string }[];
  };
};

const selector = (component: string): string =>
  `app.kubernetes.io/instance=${release.name},app.kubernetes.io/name=${component}`;

/** Every pod of a component, those on their way out too. */
export const allPodsOf = async (component: string): Promise<readonly Pod[]> =>
  (await getJson<{ items: Pod[] }>(['pods', '--selector', selector(component)])).items;

/** Whether a pod is on its way out. */
export const isGoing = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;

/** Pods of a component that are not on their way out. */
export const podsOf = async (component: string): Promise<readonly Pod[]> =>
  (await allPodsOf(component)).filter((pod) => !isGoing(pod));

/** Whether a pod would be sent traffic. */
export const isReady = ({ status }: Pod): boolean =>
  status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;

/** Values of one Secret, decoded. */
export const secretOf = async (name: string): Promise<Readonly<Record<string, string>>> => {
  const { data } = await getJson<{ data: Record<string, string> }>(['secret', name]);
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));
};
