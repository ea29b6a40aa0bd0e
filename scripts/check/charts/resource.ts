/** The output of `helm template` as data: the resources, and every pod that they start. */
import { parseAllDocuments } from 'yaml';

export type Labels = Readonly<Record<string, string>>;
export type Selector = {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    readonly values?: readonly string[];
  }[];
};
export type Probe = { readonly httpGet?: { readonly path?: string; readonly port: string | number } };
export type Variable = { readonly name: string; readonly value?: string };
export type Container = {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly Variable[];
  readonly envFrom?: readonly { readonly configMapRef?: { readonly name: string; readonly optional?: boolean } }[];
  readonly ports?: readonly {
    readonly name?: string;
    readonly containerPort: number;
    readonly protocol?: string;
  }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly lifecycle?: { readonly preStop?: { readonly sleep?: { readonly seconds: number } } };
};
export type PodSpec = {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly automountServiceAccountToken?: boolean;
  readonly serviceAccountName?: string;
  readonly terminationGracePeriodSeconds?: number;
  readonly tolerations?: readonly { readonly key?: string; readonly tolerationSeconds?: number }[];
  readonly volumes?: readonly Readonly<Record<string, unknown>>[];
};
type Template = {
  readonly metadata?: { readonly labels?: Labels; readonly annotations?: Labels };
  readonly spec: PodSpec;
};
export type Resource = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Labels;
    readonly annotations?: Labels;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly automountServiceAccountToken?: boolean;
  readonly spec?: Readonly<Record<string, unknown>>;
};

/** One kind of pod of a release: the resource that starts it, its labels and its spec. */
export type Pod = {
  /** `Deployment vds-auth`, as findings name it. */
  readonly owner: string;
  readonly kind: string;
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly spec: PodSpec;
};

/** The resources of a stream of YAML documents; empty documents are skipped. */
export function parseResources(rendered: string): Resource[] {
  return parseAllDocuments(rendered).flatMap((document) => {
    const [error] = document.errors;
    if (error) throw new Error(`The rendered text is not YAML: ${error.message}`);
    const resource = document.toJS() as Resource | null;
    return resource === null ? [] : [resource];
  });
}

/** Every pod that these resources start: of Deployments, StatefulSets, Jobs and hooks, and test pods. */
export function podsOf(resources: readonly Resource[]): Pod[] {
  return resources.flatMap((resource) => {
    const template = templateOf(resource);
    if (template === undefined) return [];
    const { kind } = resource;
    const { labels = {}, annotations = {} } = template.metadata ?? {};
    return [{ owner: titleOf(resource), kind, labels, annotations, spec: template.spec }];
  });
}

function templateOf(resource: Resource): Template | undefined {
  const spec = resource.spec as { template?: Template; jobTemplate?: { spec: { template: Template } } } | undefined;
  switch (resource.kind) {
    case 'Pod': {
      const { labels = {}, annotations = {} } = resource.metadata;
      return { metadata: { labels, annotations }, spec: resource.spec as unknown as PodSpec };
    }
    case 'Deployment':
    case 'StatefulSet':
    case 'DaemonSet':
    case 'ReplicaSet':
    case 'Job':
      return spec?.template;
    case 'CronJob':
      return spec?.jobTemplate?.spec.template;
    default:
      return undefined;
  }
}

export function titleOf({ kind, metadata }: Resource): string {
  return `${kind} ${metadata.name}`;
}

/** All containers of a pod, including init containers. */
export function containersOf({ spec }: Pod): Container[] {
  return [...(spec.initContainers ?? []), ...spec.containers];
}

/** Whether a label selector matches these labels; an empty one matches everything. */
export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      return (value !== undefined && values.includes(value)) === (operator === 'In');
    })
  );
}
