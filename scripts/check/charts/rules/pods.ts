/** The product's own rules for pods, beyond Pod Security. */
import { containersOf, type Container, type Pod } from '../resource.ts';

export function podFaults(pod: Pod): string[] {
  return [
    ...containersOf(pod).flatMap((container) => containerFaults(pod, container)),
    ...probeFaults(pod),
    ...evictionFaults(pod),
    ...(pod.spec.automountServiceAccountToken === false ? [] : ['mounts a token of the Kubernetes API']),
  ].map((fault) => `${pod.owner}: ${fault}`);
}

/** By default the cluster autoscaler never removes a node with a pod that has an emptyDir; Jobs end by themselves. */
function evictionFaults({ kind, annotations, spec }: Pod): string[] {
  const hasLocal = spec.volumes?.some((volume) => 'emptyDir' in volume) ?? false;
  if (kind !== 'Deployment' || !hasLocal || 'cluster-autoscaler.kubernetes.io/safe-to-evict' in annotations) return [];
  return ['has an emptyDir and does not say whether the autoscaler may remove its node (safe-to-evict)'];
}

function containerFaults(pod: Pod, container: Container): string[] {
  const grace = pod.spec.terminationGracePeriodSeconds ?? 30;
  const sleep = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
  const faults = [
    ...imageFault(container),
    ...resourceFaults(container),
    // The sleep counts towards the grace period: with nothing left the process would be killed while it serves.
    ...(sleep > 0 && sleep >= grace ? [`sleeps ${sleep} s before its end, of ${grace} s in all`] : []),
  ];
  return faults.map((fault) => `container ${container.name} ${fault}`);
}

/** An image with neither a digest nor a fixed tag may change any day. */
function imageFault({ image }: Container): string[] {
  if (image.includes('@sha256:')) return [];
  const tag = /:([^/:]+)$/.exec(image)?.[1];
  return tag === undefined || tag === 'latest' ? [`its image ${image} has no fixed tag`] : [];
}

function resourceFaults({ resources = {} }: Container): string[] {
  return [
    ...(['cpu', 'memory'] as const).filter((name) => !resources.requests?.[name]).map((name) => `requests no ${name}`),
    ...(resources.limits?.['memory'] ? [] : ['has no limit of memory']),
  ];
}

/**
 * A container with ports has liveness and readiness probes on its admin port; liveness never depends on another server.
 */
function probeFaults({ kind, spec }: Pod): string[] {
  if (!['Deployment', 'StatefulSet', 'DaemonSet'].includes(kind)) return [];
  return spec.containers.flatMap(({ name, livenessProbe, readinessProbe, ports = [] }) => {
    if (ports.length === 0) return [];
    const known = new Set<string | number>(
      ports.flatMap((port) => [port.name ?? port.containerPort, port.containerPort]),
    );
    const probedPorts = [livenessProbe, readinessProbe].flatMap((probe) => probe?.httpGet?.port ?? []);
    return [
      ...(livenessProbe ? [] : [`container ${name} has no liveness probe`]),
      ...(readinessProbe ? [] : [`container ${name} has no readiness probe`]),
      ...(livenessProbe?.httpGet?.path === '/readyz' ? [`container ${name} dies when a dependency does`] : []),
      ...probedPorts
        .filter((port) => !known.has(port))
        .map((port) => `container ${name} is probed on ${port}, which it lacks`),
    ];
  });
}
