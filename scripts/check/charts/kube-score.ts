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
