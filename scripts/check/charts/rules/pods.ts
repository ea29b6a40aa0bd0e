/** The product's own rules for pods: what neither kube-score finds nor a namespace that enforces `restricted`. */
import { containersOf, type Container, type Pod } from '../resource.ts';

export function podFaults(pod: Pod): string[] {
  return [
    ...containersOf(pod).flatMap((container) => sleepFaults(pod, container)),
    ...probeFaults(pod),
    ...evictionFaults(pod),
    ...lostNodeFaults(pod),
    ...(pod.spec.automountServiceAccountToken === false ? [] : ['mounts a token of the Kubernetes API']),
  ].map((fault) => `${pod.owner}: ${fault}`);
}

/** By default the cluster autoscaler never removes a node with a pod that has an emptyDir; Jobs end by themselves. */
function evictionFaults({ kind, annotations, spec }: Pod): string[] {
  const hasLocal = spec.volumes?.some((volume) => 'emptyDir' in volume) ?? false;
  if (kind !== 'Deployment' || !hasLocal || 'cluster-autoscaler.kubernetes.io/safe-to-evict' in annotations) return [];
  return ['has an emptyDir and does not say whether the autoscaler may remove its node (safe-to-evict)'];
}

/** A node that vanished keeps its pods for five minutes, and their work waits, unless they say otherwise. */
function lostNodeFaults({ kind, spec }: Pod): string[] {
  if (kind !== 'Deployment') return [];
  return ['not-ready', 'unreachable']
    .map((state) => `node.kubernetes.io/${state}`)
    .filter(
      (taint) => !spec.tolerations?.some(({ key, tolerationSeconds = 300 }) => key === taint && tolerationSeconds < 60),
    )
    .map((taint) => `stays for minutes on a node that is lost (${taint})`);
}

/** The sleep counts towards the grace period: with nothing left the process would be killed while it serves. */
function sleepFaults({ spec }: Pod, { name, lifecycle }: Container): string[] {
  const grace = spec.terminationGracePeriodSeconds ?? 30;
  const sleep = lifecycle?.preStop?.sleep?.seconds ?? 0;
  return sleep > 0 && sleep >= grace
    ? [`container ${name} sleeps ${sleep} s before its end, of ${grace} s in all`]
    : [];
}

/** A container with ports has a liveness probe, which never depends on another server. */
function probeFaults({ kind, spec }: Pod): string[] {
  if (!['Deployment', 'StatefulSet', 'DaemonSet'].includes(kind)) return [];
  return spec.containers.flatMap(({ name, livenessProbe, ports = [] }) => [
    ...(livenessProbe || ports.length === 0 ? [] : [`container ${name} has no liveness probe`]),
    ...(livenessProbe?.httpGet?.path === '/readyz' ? [`container ${name} dies when a dependency does`] : []),
  ]);
}
