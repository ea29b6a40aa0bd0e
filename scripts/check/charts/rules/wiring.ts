/** References between resources must be consistent: selectors, scalers, accounts, ConfigMaps and ports. */
import { containersOf, podsOf, selects, titleOf, type Pod, type Resource, type Selector } from '../resource.ts';

type Scaler = { readonly scaleTargetRef?: { readonly kind?: string; readonly name: string } };
type ServiceSpec = {
  readonly selector?: Readonly<Record<string, string>>;
  readonly ports?: readonly { readonly name?: string; readonly targetPort?: string | number; readonly port: number }[];
};

const workloads = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);

export function wiringFaults(resources: readonly Resource[]): string[] {
  const pods = podsOf(resources);
  return [
    ...scalerFaults(resources),
    ...selectorFaults(resources, pods),
    ...serviceFaults(resources, pods),
    ...referenceFaults(resources, pods),
    ...accountFaults(resources),
    ...doubleFaults(resources),
  ];
}

/** A scaler and `spec.replicas` would overwrite each other: every upgrade would reset the scaled number. */
function scalerFaults(resources: readonly Resource[]): string[] {
  const scalers = ofKind(resources, 'HorizontalPodAutoscaler', 'ScaledObject');
  const targets = scalers.map((scaler) => {
    const { kind = 'Deployment', name } = (scaler.spec as Scaler).scaleTargetRef ?? { name: '' };
    return { scaler, title: `${kind} ${name}` };
  });
  return targets.flatMap(({ scaler, title }) => {
    const target = resources.find((one) => titleOf(one) === title);
    if (!target) return [`${titleOf(scaler)} scales ${title}, which is not there`];
    const others = targets.filter((one) => one.title === title).length;
    return [
      ...('replicas' in (target.spec ?? {}) ? [`${title} sets replicas, and ${titleOf(scaler)} does too`] : []),
      ...(others > 1 ? [`${title} has ${others} scalers`] : []),
    ];
  });
}

function ofKind(resources: readonly Resource[], ...kinds: string[]): Resource[] {
  return resources.filter(({ kind }) => kinds.includes(kind));
}

function selectorFaults(resources: readonly Resource[], pods: readonly Pod[]): string[] {
  const own = ofKind(resources, ...workloads).flatMap((one) => {
    const pod = pods.find(({ owner }) => owner === titleOf(one));
    const selector = one.spec?.['selector'] as Selector | undefined;
    return pod && selector && selects(selector, pod.labels) ? [] : [`${titleOf(one)} does not select its own pods`];
  });
  const budgets = ofKind(resources, 'PodDisruptionBudget').flatMap((one) => {
    const chosen = pods.filter((pod) => workloads.has(pod.kind) && selects(one.spec?.['selector'] ?? {}, pod.labels));
    return chosen.length === 1 ? [] : [`${titleOf(one)} covers ${chosen.length} workloads, not one`];
  });
  return [...own, ...budgets];
}

function serviceFaults(resources: readonly Resource[], pods: readonly Pod[]): string[] {
  return ofKind(resources, 'Service').flatMap((service) => {
    const { selector = {}, ports = [] } = service.spec as ServiceSpec;
    const chosen = pods.filter(({ labels }) => selects({ matchLabels: selector }, labels));
    const [pod] = chosen;
    if (!pod || chosen.length > 1) return [`${titleOf(service)} leads to ${chosen.length} kinds of pods, not to one`];
    const open = new Set(
      containersOf(pod).flatMap((one) => (one.ports ?? []).flatMap((p) => [p.name, p.containerPort])),
    );
    return ports
      .map(({ port, targetPort = port }) => targetPort)
      .filter((port) => !open.has(port))
      .map((port) => `${titleOf(service)} leads to port ${port} of ${pod.owner}, which it lacks`);
  });
}

/** Resources that a pod needs and this release should render: its account and its ConfigMaps. */
function referenceFaults(resources: readonly Resource[], pods: readonly Pod[]): string[] {
  const there = new Set(resources.map(titleOf));
  return pods.flatMap((pod) => {
    const maps = containersOf(pod)
      .flatMap(({ envFrom = [] }) => envFrom.flatMap(({ configMapRef }) => configMapRef ?? []))
      .filter(({ optional }) => !optional)
      .map(({ name }) => `ConfigMap ${name}`);
    const account = pod.spec.serviceAccountName;
    const needed = [...maps, ...(account === undefined ? [] : [`ServiceAccount ${account}`])];
    return needed
      .filter((title) => !there.has(title))
      .map((title) => `${pod.owner} needs ${title}, which is not there`);
  });
}

function accountFaults(resources: readonly Resource[]): string[] {
  return ofKind(resources, 'ServiceAccount')
    .filter((one) => one.automountServiceAccountToken !== false)
    .map((one) => `${titleOf(one)} hands out its token`);
}

/** Two resources of one name silently overwrite each other. */
function doubleFaults(resources: readonly Resource[]): string[] {
  return Object.entries(Object.groupBy(resources, (one) => `${one.apiVersion.split('/')[0]} ${titleOf(one)}`)).flatMap(
    ([title, same = []]) => (same.length > 1 ? [`${title} is rendered ${same.length} times`] : []),
  );
}
