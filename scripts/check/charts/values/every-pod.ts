/**
 * Every value of pods reaches every pod: each is set to a mark of the workload, once in the workload's own block and once in
 * `defaults`, and the mark is looked for in what is rendered.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { output } from '../outcome.ts';
import { templateArguments } from '../release.ts';
import { parseResources, titleOf, type Labels, type Resource } from '../resource.ts';
import { EVERYWHERE, podValues, type Workload } from './pod-values.ts';

type Block = Readonly<Record<string, unknown>>;
type Schema = { readonly $defs: { readonly pod: { readonly properties: Block } } };

const CHART = 'vds';
/** Blocks of workloads beside the components, and what makes each render its pods. */
const tools: Readonly<Record<string, Block>> = {
  edge: { enabled: true },
  toolbox: { enabled: true },
  reconcile: { enabled: true },
  tests: {},
  migrations: {},
};
const DEFAULTS = 'defaults';

/** How many pairs of a value and a workload were looked at, and the values that a workload ignores. */
export async function checkEveryPod(root: string, helm: string): Promise<{ count: number; faults: string[] }> {
  const read = (path: string): unknown => parse(readFileSync(join(root, 'charts', CHART, path), 'utf8'));
  const { components } = read('values.yaml') as { readonly components: Block };
  const { $defs } = read('values.schema.json') as Schema;
  const names = Object.keys(components);
  const own = await rendered(root, helm, {
    ...Object.fromEntries(Object.entries(tools).map(([name, on]) => [name, { ...on, ...marked(name, true) }])),
    components: Object.fromEntries(names.map((name) => [name, marked(name, true)])),
  });
  const shared = await rendered(root, helm, {
    ...tools,
    defaults: marked(DEFAULTS, false),
    tests: { serviceAccount: { create: true } },
  });
  const workloads = [...Object.keys(tools), ...names];
  return {
    count: own.length * Object.keys(podValues).length,
    faults: [
      ...unknownValues(Object.keys($defs.pod.properties)),
      ...podFaults(workloads, own, (name) => markOf(name)),
      ...podFaults(workloads, shared, () => markOf(DEFAULTS), DEFAULTS),
    ],
  };
}

function markOf(name: string): string {
  return `m${name}m`;
}

/** All values of pods with the mark of `name`; in `defaults` only those that all workloads take from there. */
function marked(name: string, isOwn: boolean): Block {
  const taken = Object.entries(podValues).filter(([, { ownOnly }]) => isOwn || !ownOnly);
  return Object.fromEntries(taken.map(([key, { of }]) => [key, of(markOf(name))]));
}

async function rendered(root: string, helm: string, values: Block): Promise<Resource[]> {
  const folder = mkdtempSync(join(tmpdir(), 'vds-pods-'));
  try {
    const file = join(folder, 'values.yaml');
    writeFileSync(file, JSON.stringify(values));
    const required = join('charts', CHART, 'ci/required-values.yaml');
    const args = [...templateArguments(CHART), '-f', required, '-f', file];
    const { code, stdout, text } = await output(helm, args, { cwd: root });
    if (code !== 0) throw new Error(`the chart does not render with every value of pods: ${text}`);
    return parseResources(stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Values of the schema that this check does not know, and the other way round. */
export function unknownValues(schema: readonly string[]): string[] {
  const known = Object.keys(podValues);
  return [
    ...schema.filter((key) => !known.includes(key)).map((key) => `${key}: no row of pod-values.ts looks for it`),
    ...known
      .filter((key) => !schema.includes(key))
      .map((key) => `${key}: values.schema.json does not have it for pods`),
  ];
}

/**
 * Values that a workload ignores, and workloads that are not rendered.
 * @param expected names of the blocks whose pods must be there
 * @param from `defaults` where the values were set there; else each workload's own block
 */
export function podFaults(
  expected: readonly string[],
  resources: readonly Resource[],
  mark: (name: string) => string,
  from?: string,
): string[] {
  const workloads = resources.flatMap((object) => workloadOf(object) ?? []);
  const seen = new Set(workloads.map(blockOf));
  return [
    ...expected.filter((name) => !seen.has(name)).map((name) => `${name}: no pod is rendered`),
    ...workloads.flatMap((workload) =>
      Object.entries(podValues)
        .filter(([, { ownOnly }]) => from === undefined || !ownOnly)
        .filter(([, { at }]) => !has(at(workload), mark(blockOf(workload))))
        .map(([key]) => `${titleOf(workload.object)} ignores ${from ?? blockOf(workload)}.${key}`),
    ),
  ];
}

function has(part: unknown, mark: string): boolean {
  return part === EVERYWHERE || JSON.stringify(part ?? null).includes(mark);
}

/** The block of values of a workload, by its labels and kind. */
function blockOf({ object, pod }: Workload): string {
  const labels = (pod.metadata?.labels ?? {}) as Labels;
  const kind = labels['app.kubernetes.io/component'];
  if (kind === 'migration') return 'migrations';
  if (kind === 'test') return 'tests';
  if (kind === 'tool') return object.kind === 'CronJob' ? 'reconcile' : 'toolbox';
  return labels['app.kubernetes.io/name'] ?? '';
}

function workloadOf(object: Resource): Workload | undefined {
  const spec = object.spec as { template?: Workload['pod']; jobTemplate?: { spec: { template: Workload['pod'] } } };
  const pod =
    object.kind === 'Pod'
      ? ({ metadata: object.metadata, spec: object.spec ?? {} } as Workload['pod'])
      : object.kind === 'CronJob'
        ? spec.jobTemplate?.spec.template
        : spec?.template;
  const [container] = (pod?.spec['containers'] ?? []) as readonly Block[];
  if (pod === undefined || container === undefined) return undefined;
  return { object, pod, container };
}
