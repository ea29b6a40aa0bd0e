/** The values of chart vds, merged as Helm merges them: what the documents say of replicas, memory and connections. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

type Scaler = { readonly enabled: boolean; readonly minReplicas: number; readonly maxReplicas: number };
export type Component = {
  readonly image: string;
  readonly replicas: number;
  readonly autoscaling: Scaler;
  readonly keda: Scaler;
  readonly priority: string;
  readonly database: boolean;
  readonly databasePoolSize: number;
  readonly env?: Readonly<Record<string, string>>;
};
export type Tree = Readonly<Record<string, unknown>>;

const chart = 'charts/vds/values.yaml';

/** The components by name, each over `defaults`, with the values of `file` over them. */
export function componentsOf(root: string, file?: string): [name: string, Component][] {
  const read = (path: string): Tree => parse(readFileSync(join(root, path), 'utf8'), { merge: true }) as Tree;
  const values = merged(read(chart), file === undefined ? {} : read(file));
  const { defaults, components } = values as { defaults: Tree; components: Readonly<Record<string, Tree>> };
  return Object.entries(components).map(([name, own]) => [name, merged(defaults, own) as Component]);
}

/** Merges like Helm: maps key by key, everything else as a whole. */
export function merged(under: Tree, over: Tree): Tree {
  const isTree = (value: unknown): value is Tree =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.fromEntries(
    [...new Set([...Object.keys(under), ...Object.keys(over)])].map((key) => {
      const [low, high] = [under[key], over[key]];
      return [key, isTree(low) && isTree(high) ? merged(low, high) : key in over ? high : low];
    }),
  );
}

/** What each component does: the comment on its values. */
export function purposesOf(root: string): ReadonlyMap<string, string> {
  const [, components = ''] = readFileSync(join(root, chart), 'utf8').split('\ncomponents:\n');
  const found = components.matchAll(/^ {2}# -- (.+)\n(?: {2}#.*\n)* {2}(\w+):$/gm);
  return new Map([...found].map(([, purpose = '', name = '']) => [name, purpose]));
}
