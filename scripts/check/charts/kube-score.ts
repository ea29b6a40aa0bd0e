/** kube-score over every release, less what does not fit this product; every exception says why. */
import { output } from '../outcome.ts';
import { inLanes, type Rendered } from './release.ts';

export type Exception = {
  readonly test: string;
  /** Objects that it does not count for; all of them when it is left out. */
  readonly where?: RegExp;
  /** Charts that it does not count for; all of them when it is left out. */
  readonly chart?: string;
  readonly because: string;
};

/** Findings that are not faults here. kube-score's objects are called `Deployment/apps/v1 video/vds-auth`. */
export const exceptions: readonly Exception[] = [
  {
    test: 'container-image-pull-policy',
    because: 'tags are fixed, and clusters without a registry run images that were loaded: IfNotPresent is right',
  },
  {
    test: 'container-security-context-user-group-id',
    because:
      'wants ids above 10000 on every container; ours stand once on the pod (10001), devdeps runs official images',
  },
  {
    test: 'deployment-has-host-podantiaffinity',
    because: 'topology spread constraints do the same and still let a small cluster schedule',
  },
  {
    test: 'deployment-replicas',
    because: 'the default is two; values for small clusters set one, and what KEDA counts kube-score does not know',
  },
  {
    test: 'deployment-has-poddisruptionbudget',
    because: 'where one pod is asked for, a budget would only keep its node from being drained',
  },
  {
    test: 'networkpolicy-targets-pod',
    where: /^NetworkPolicy .*-vdsctl$/,
    because: 'the pod of vdsctl comes and goes by kubectl run',
  },
  {
    test: 'statefulset-has-servicename',
    chart: 'vds-devdeps',
    because: 'kube-score wants a headless Service; each of these has one pod, and nobody asks for it by its own name',
  },
  {
    test: 'statefulset-has-host-podantiaffinity',
    chart: 'vds-devdeps',
    because: 'single-node servers of a test',
  },
  {
    test: 'statefulset-has-poddisruptionbudget',
    chart: 'vds-devdeps',
    because: 'single-node servers of a test: a budget would only keep their node from being drained',
  },
  {
    test: 'container-ephemeral-storage-request-and-limit',
    chart: 'vds-devdeps',
    because:
      'data are on volumes or on emptyDirs with limits of their own; an evicted server would fail the test for nothing',
  },
  {
    test: 'pod-probes-identical',
    chart: 'vds-devdeps',
    where: /-s3$/,
    because: 'versitygw has one health page and no dependency that it could wait for',
  },
  {
    test: 'container-security-context-readonlyrootfilesystem',
    chart: 'vds-devdeps',
    where: /-opensearch$/,
    because: 'the start script of the official image writes its own configuration folder',
  },
];

type Finding = {
  readonly object_name: string;
  readonly type_meta: { readonly kind: string };
  readonly object_meta: { readonly name: string };
  readonly checks: readonly {
    readonly check: { readonly id: string };
    readonly grade: number;
    readonly skipped: boolean;
    readonly comments: readonly { readonly path: string; readonly summary: string }[] | null;
  }[];
};

/** kube-score's grade of a warning; 10 is all well. */
const warning = 5;

export const excepted = (list: readonly Exception[], chart: string, test: string, title: string): boolean =>
  list.some(
    (one) => one.test === test && (one.chart ?? chart) === chart && (one.where === undefined || one.where.test(title)),
  );

/** The findings in kube-score's JSON that no exception covers. */
export const scoreFaults = (json: string, chart: string, list: readonly Exception[] = exceptions): string[] =>
  (JSON.parse(json) as Finding[]).flatMap(({ type_meta: { kind }, object_meta: { name }, checks }) =>
    checks
      .filter(
        ({ grade, skipped, check }) =>
          !skipped && grade <= warning && !excepted(list, chart, check.id, `${kind} ${name}`),
      )
      .map(({ check, comments }) => {
        const [first] = comments ?? [];
        return `${kind} ${name}: ${check.id}: ${first?.summary ?? 'no word'}${first?.path ? ` (${first.path})` : ''}`;
      }),
  );

const options = ['--output-format', 'json', '--kubernetes-version', 'v1.30', '--ignore-container-cpu-limit'];

/** What kube-score finds in any release; each finding once, with the first values file that shows it. */
export const checkScore = async (root: string, tool: string, renders: readonly Rendered[]): Promise<string[]> => {
  const found = await inLanes(renders, 2, async ({ release, file }) => {
    const { stdout, text } = await output(tool, ['score', ...options, file], { cwd: root });
    if (!stdout.trimStart().startsWith('[')) return [{ fault: `kube-score: ${text}`, release }];
    return scoreFaults(stdout, release.chart).map((fault) => ({ fault, release }));
  });
  const faults = Object.entries(Object.groupBy(found.flat(), ({ fault }) => fault));
  return faults.map(([fault, where = []]) => `${where[0]?.release.values}: ${fault}`);
};
