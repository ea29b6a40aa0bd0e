/** Which metrics the code has, with their labels and buckets: read out of the source, where they are made. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { createMetrics } from '@vds/shared/metrics';

export type Metric = {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  /** Upper bounds of a histogram; undefined for the usual seconds. */
  readonly buckets?: readonly number[] | undefined;
};
export type Code = {
  readonly metrics: ReadonlyMap<string, Metric>;
  /** Names of all services. */
  readonly services: ReadonlySet<string>;
  /** All source of services and contracts: what a label can be, stands in it somewhere. */
  readonly text: string;
};

type Node = { readonly type: string; readonly [key: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const nodesIn = (value: unknown): Node[] => {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (!isNode(value)) return [];
  return [value, ...Object.values(value).flatMap(nodesIn)];
};
const literalOf = (node: unknown): unknown => (isNode(node) && node.type === 'Literal' ? node['value'] : undefined);
const listOf = (node: unknown): readonly unknown[] | undefined =>
  isNode(node) && node.type === 'ArrayExpression' ? (node['elements'] as unknown[]).map(literalOf) : undefined;
const nameOf = (node: unknown): unknown => (isNode(node) ? node['name'] : undefined);

const kinds = ['counter', 'gauge', 'histogram'] as const;

/** `metrics.gauge('vds_…', help, labels, buckets)`. */
const ofCall = (node: Node): [string, Metric] | undefined => {
  if (node.type !== 'CallExpression' || !isNode(node['callee'])) return undefined;
  const kind = kinds.find((one) => one === nameOf((node['callee'] as Node)['property']));
  const [name, , labels, buckets] = (node['arguments'] as unknown[]).map((one) => literalOf(one) ?? listOf(one));
  if (!kind || typeof name !== 'string' || !name.startsWith('vds_')) return undefined;
  const own = kind === 'histogram' && Array.isArray(buckets) ? (buckets as number[]) : undefined;
  return [name, { kind, labels: Array.isArray(labels) ? (labels as string[]) : [], buckets: own }];
};

/** `new Gauge({ name: 'vds_…', labelNames })`: the few that tell of the metrics themselves. */
const ofClass = (node: Node): [string, Metric] | undefined => {
  if (node.type !== 'NewExpression') return undefined;
  const kind = kinds.find((one) => one === String(nameOf(node['callee'])).toLowerCase());
  const [options] = node['arguments'] as unknown[];
  if (!kind || !isNode(options) || options.type !== 'ObjectExpression') return undefined;
  const property = (key: string): unknown =>
    (options['properties'] as Node[]).find((one) => nameOf(one['key']) === key)?.['value'];
  const name = literalOf(property('name'));
  if (typeof name !== 'string') return undefined;
  return [name, { kind, labels: (listOf(property('labelNames')) ?? []) as string[] }];
};

/** The metrics that a source file makes. */
export const metricsIn = (path: string, text: string): [string, Metric][] =>
  // Most files make none: they are not worth reading.
  (text.includes(`'vds_`) ? nodesIn(parseSync(path, text).program) : []).flatMap((node) => {
    const made = ofCall(node) ?? ofClass(node);
    return made ? [made] : [];
  });

/** Node's own, as the library makes them: their labels are not ours to check. */
const ofNode = async (): Promise<[string, Metric][]> => {
  const all = await createMetrics('any').registry.getMetricsAsJSON();
  return all
    .filter(({ name }) => !name.startsWith('vds_'))
    .map(({ name }) => [name, { kind: 'gauge', labels: ['kind', 'space', 'version', 'major', 'minor', 'patch'] }]);
};

/** Everything that rules and dashboards are held against. */
export const readCode = async (root: string): Promise<Code> => {
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
};
