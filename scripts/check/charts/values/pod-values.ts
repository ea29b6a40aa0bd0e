/**
 * The values that every pod takes, each with a value that carries a mark, and where the mark must come out. The list is
 * that of the schema: a value without a row here, or a row without a value, is a fault of its own.
 */
import type { Resource } from '../resource.ts';

/** A workload of the release, as this check sees it: the object, its pod and the one container that is the chart's. */
export type Workload = {
  readonly object: Resource;
  readonly pod: {
    readonly metadata?: { readonly labels?: Fields; readonly annotations?: Fields };
    readonly spec: Fields;
  };
  readonly container: Fields;
};
type Fields = Readonly<Record<string, unknown>>;
export type PodValue = {
  /** A value with this mark: a word of lower-case letters and digits. */
  readonly of: (mark: string) => unknown;
  /** Where it must come out: the part of the workload that has the mark. */
  readonly at: (workload: Workload) => unknown;
  /** Only Deployments with several pods take it from `defaults`; others from their own block. */
  readonly ownOnly?: true;
};

const quiet = { image: 'busybox:1', resources: {} };
function field(name: string): (workload: Workload) => unknown {
  return ({ pod }) => pod.spec[name];
}
function containerField(name: string): (workload: Workload) => unknown {
  return ({ container }) => container[name];
}
function named(mark: string): { readonly name: string } {
  return { name: mark };
}

/** By the key of the schema's `$defs.pod`. */
export const podValues: Readonly<Record<string, PodValue>> = {
  annotations: { of: (mark) => ({ 'example.com/a': mark }), at: ({ object }) => object.metadata.annotations },
  labels: { of: (mark) => ({ 'example.com/l': mark }), at: ({ object }) => object.metadata.labels },
  podLabels: { of: (mark) => ({ 'example.com/pl': mark }), at: ({ pod }) => pod.metadata?.labels },
  podAnnotations: { of: (mark) => ({ 'example.com/pa': mark }), at: ({ pod }) => pod.metadata?.annotations },
  extraEnv: { of: (mark) => [{ name: 'EXTRA', value: mark }], at: containerField('env') },
  extraEnvFrom: { of: (mark) => [{ secretRef: named(mark) }], at: containerField('envFrom') },
  extraVolumes: { of: (mark) => [{ name: mark, emptyDir: {} }], at: field('volumes') },
  extraVolumeMounts: { of: (mark) => [{ name: mark, mountPath: '/extra' }], at: containerField('volumeMounts') },
  initContainers: { of: (mark) => [{ ...quiet, name: `first-${mark}` }], at: field('initContainers') },
  sidecars: { of: (mark) => [{ ...quiet, name: `beside-${mark}` }], at: sidecarsOf },
  serviceAccount: {
    of: (mark) => ({ create: false, name: mark, automount: true }),
    at: ({ pod }) => pod.spec['automountServiceAccountToken'] === true && pod.spec['serviceAccountName'],
  },
  nodeSelector: { of: (mark) => ({ 'example.com/node': mark }), at: field('nodeSelector') },
  tolerations: { of: (mark) => [{ key: mark, operator: 'Exists' }], at: field('tolerations') },
  affinity: { of: (mark) => ({ nodeAffinity: { mark } }), at: field('affinity') },
  priorityClassName: { of: (mark) => mark, at: field('priorityClassName') },
  runtimeClassName: { of: (mark) => mark, at: field('runtimeClassName') },
  schedulerName: { of: (mark) => mark, at: field('schedulerName') },
  hostAliases: { of: (mark) => [{ ip: '10.0.0.9', hostnames: [mark] }], at: field('hostAliases') },
  // Neither has room for a mark: what comes out tells them from the default.
  hostNetwork: { of: () => true, at: ({ pod }) => pod.spec['hostNetwork'] === true && EVERYWHERE },
  dnsPolicy: { of: () => 'None', at: ({ pod }) => pod.spec['dnsPolicy'] === 'None' && EVERYWHERE },
  dnsConfig: { of: (mark) => ({ searches: [mark] }), at: field('dnsConfig') },
  podSecurityContext: { of: (mark) => ({ fsGroupChangePolicy: mark }), at: field('securityContext') },
  containerSecurityContext: { of: (mark) => ({ procMount: mark }), at: containerField('securityContext') },
  resourceClaims: { of: (mark) => [{ name: mark }], at: field('resourceClaims') },
  topologySpreadConstraints: {
    of: (mark) => [{ maxSkew: 1, topologyKey: mark, whenUnsatisfiable: 'ScheduleAnyway' }],
    at: field('topologySpreadConstraints'),
    ownOnly: true,
  },
  command: { of: (mark) => [mark], at: containerField('command'), ownOnly: true },
  args: { of: (mark) => [mark], at: containerField('args'), ownOnly: true },
  patches: {
    of: (mark) => ({ pod: { subdomain: mark }, container: { workingDir: `/${mark}` } }),
    at: ({ pod, container }) => pod.spec['subdomain'] !== undefined && container['workingDir'],
    ownOnly: true,
  },
};

/** Stands for a mark of any workload. */
export const EVERYWHERE = 'everywhere';

/** Init containers that keep running. */
function sidecarsOf({ pod }: Workload): unknown {
  const before = (pod.spec['initContainers'] ?? []) as readonly Fields[];
  return before.filter(({ restartPolicy }) => restartPolicy === 'Always');
}
