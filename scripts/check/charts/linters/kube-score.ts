/** kube-score over every release, with exceptions and their reasons. */
import { output } from '../outcome.ts';
import { mapConcurrently, type Rendered } from '../release.ts';

export type Exception = {
  readonly test: string;
  /** Objects that the exception covers; all by default. */
  readonly where?: RegExp;
  /** Charts that the exception covers; all by default. */
  readonly chart?: string;
  readonly because: string;
};

/** Findings that are acceptable here; `where` is matched against kind and name. */
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
    test: 'service-type',
    where: /^Service vds-(gateway|playback)$/,
    because: 'on kind gateway and playback are reached through node ports',
  },
  {
    test: 'statefulset-has-servicename',
    chart: 'vds-devdeps',
    because: 'kube-score wants a headless Service; each of these has one pod, which is never addressed by its own name',
  },
  {
    test: 'container-ephemeral-storage-request-and-limit',
    chart: 'vds-devdeps',
    because:
      'data are on volumes or on emptyDirs with their own limits; an evicted server would fail the test needlessly',
  },
  {
    test: 'pod-probes-identical',
    chart: 'vds-devdeps',
    where: /-s3$/,
    because: 'versitygw has one health page and no dependency that it could wait for',
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

/** kube-score's grade of a warning; 10 means no finding. */
const WARNING = 5;

type Fault = { readonly test: string; readonly title: string; readonly what: string };

const options = ['--output-format', 'json', '--kubernetes-version', 'v1.30', '--ignore-container-cpu-limit'];

/** kube-score's findings in all releases; each once, with the first values file that has it. */
export async function checkScore(root: string, tool: string, renders: readonly Rendered[]): Promise<string[]> {
  const found = await mapConcurrently(renders, 2, async ({ release, file }) => {
    const { stdout, text } = await output(tool, ['score', ...options, file], { cwd: root });
    if (!stdout.trimStart().startsWith('[')) throw new Error(`kube-score does not read ${release.values}: ${text}`);
    return scoreFaults(stdout).map((fault) => ({ ...fault, release }));
  });
  return withExceptions(found.flat());
}

/** The findings in kube-score's JSON that are warnings or worse. */
export function scoreFaults(json: string): Fault[] {
  return (JSON.parse(json) as Finding[]).flatMap(({ type_meta: { kind }, object_meta: { name }, checks }) =>
    checks
      .filter(({ grade, skipped }) => !skipped && grade <= WARNING)
      .map(({ check, comments }) => {
        const [first] = comments ?? [];
        const what = `${first?.summary ?? 'no message'}${first?.path ? ` (${first.path})` : ''}`;
        return { test: check.id, title: `${kind} ${name}`, what };
      }),
  );
}

/** Findings without an exception, and exceptions without a finding. */
export function withExceptions(
  found: readonly (Fault & Pick<Rendered, 'release'>)[],
  list: readonly Exception[] = exceptions,
): string[] {
  const covers = (one: Exception, { test, title, release }: (typeof found)[number]): boolean =>
    one.test === test && (one.chart ?? release.chart) === release.chart && (one.where?.test(title) ?? true);
  const left = found.filter((fault) => !list.some((one) => covers(one, fault)));
  const unused = list.filter((one) => !found.some((fault) => covers(one, fault)));
  const faults = Object.groupBy(left, ({ title, test, what }) => `${title}: ${test}: ${what}`);
  return [
    ...Object.entries(faults).map(([fault, where = []]) => `${where[0]?.release.values}: ${fault}`),
    ...unused.map(
      ({ test, chart }) => `the exception of ${test}${chart ? ` in ${chart}` : ''} excuses nothing: remove it`,
    ),
  ];
}
