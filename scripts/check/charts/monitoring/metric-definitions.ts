/** The metrics that the code defines, with their labels and buckets, read from the source that creates them. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { createMetrics } from '@vds/chassis/telemetry/metrics';

export type Metric = {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  /** Upper bounds of a histogram; undefined for the default buckets. */
  readonly buckets?: readonly number[] | undefined;
};
export type Code = {
  readonly metrics: ReadonlyMap<string, Metric>;
  /** Names of all services. */
  readonly services: ReadonlySet<string>;
  /** All source of services and contracts: every literal label value occurs somewhere in it. */
  readonly text: string;
};

type Node = { readonly type: string; readonly [key: string]: unknown };

const kinds = ['counter', 'gauge', 'histogram'] as const;

/** Everything that rules and dashboards are checked against. */
export async function readCode(root: string): Promise<Code> {
  const files = globSync('services/*/src/**/*.ts', { cwd: root });
  const texts = files.map((path) => readFileSync(join(root, path), 'utf8'));
  const made = files.flatMap((path, index) => metricsIn(path, texts[index] ?? ''));
  const contracts = globSync('proto/*.ts', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'));
  const services = globSync('services/*/src/main.ts', { cwd: root }).map((path) => path.split('/')[1] ?? '');
  return {
    metrics: new Map([...(await ofNode()), ...made]),
    services: new Set(services),
    text: [...texts, ...contracts].join('\n'),
  };
}

/** The metrics that a source file creates. */
export function metricsIn(path: string, text: string): [string, Metric][] {
  // Most files create none: skip the parser.
  return (text.includes(`'vds_`) ? nodesIn(parseSync(path, text).program) : []).flatMap((node) => {
    const made = ofCall(node) ?? ofClass(node);
    return made ? [made] : [];
  });
}

function nodesIn(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (!isNode(value)) return [];
  return [value, ...Object.values(value).flatMap(nodesIn)];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** `metrics.gauge('vds_…', help, labels, buckets)`. */
function ofCall(node: Node): [string, Metric] | undefined {
  if (node.type !== 'CallExpression' || !isNode(node['callee'])) return undefined;
  const kind = kinds.find((one) => one === nameOf((node['callee'] as Node)['property']));
  const [name, , labels, buckets] = (node['arguments'] as unknown[]).map((one) => literalOf(one) ?? listOf(one));
  if (!kind || typeof name !== 'string' || !name.startsWith('vds_')) return undefined;
  const own = kind === 'histogram' && Array.isArray(buckets) ? (buckets as number[]) : undefined;
  return [name, { kind, labels: Array.isArray(labels) ? (labels as string[]) : [], buckets: own }];
}

function nameOf(node: unknown): unknown {
  return isNode(node) ? node['name'] : undefined;
}

function literalOf(node: unknown): unknown {
  return isNode(node) && node.type === 'Literal' ? node['value'] : undefined;
}

function listOf(node: unknown): readonly unknown[] | undefined {
  return isNode(node) && node.type === 'ArrayExpression' ? (node['elements'] as unknown[]).map(literalOf) : undefined;
}

/** `new Gauge({ name: 'vds_…', labelNames })`: the few metrics about metrics. */
function ofClass(node: Node): [string, Metric] | undefined {
  if (node.type !== 'NewExpression') return undefined;
  const kind = kinds.find((one) => one === String(nameOf(node['callee'])).toLowerCase());
  const [options] = node['arguments'] as unknown[];
  if (!kind || !isNode(options) || options.type !== 'ObjectExpression') return undefined;
  const property = (key: string): unknown =>
    (options['properties'] as Node[]).find((one) => nameOf(one['key']) === key)?.['value'];
  const name = literalOf(property('name'));
  if (typeof name !== 'string') return undefined;
  return [name, { kind, labels: (listOf(property('labelNames')) ?? []) as string[] }];
}

/** Node's own, as the library creates them: their labels are not checked. */
async function ofNode(): Promise<[string, Metric][]> {
  const all = await createMetrics('any').registry.getMetricsAsJSON();
  return all
    .filter(({ name }) => !name.startsWith('vds_'))
    .map(({ name }) => [name, { kind: 'gauge', labels: ['kind', 'space', 'version', 'major', 'minor', 'patch'] }]);
}
