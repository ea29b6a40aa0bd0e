/**
 * The schema of each chart describes every value in the words of the comment that helm-docs reads (`# --` in values.yaml).
 * `--accept` writes them; a value without a place in the schema is a fault.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { run } from '@vds/testkit/servers/command';
import { acceptHint } from './golden/golden.ts';

type Schema = { $ref?: string; description?: string; [key: string]: unknown };
type Described = { readonly schema: Schema; readonly faults: readonly string[] };

/** Charts whose schema does not have the comments of its values. */
export function descriptionFaults(root: string): string[] {
  return schemasOf(root).flatMap((path) => {
    const { schema, faults } = described(root, path);
    const isCurrent = isDeepStrictEqual(schema, readSchema(root, path));
    return [
      ...faults.map((fault) => `${path}: ${fault}`),
      ...(isCurrent ? [] : [`${path} does not describe its values as values.yaml does`, acceptHint]),
    ];
  });
}

/** Writes the descriptions of every chart's schema. */
export async function writeDescriptions(root: string): Promise<void> {
  for (const path of schemasOf(root)) {
    writeFileSync(join(root, path), JSON.stringify(described(root, path).schema, null, 2));
    await run(join(root, 'node_modules/.bin/oxfmt'), [path], { cwd: root });
  }
}

function schemasOf(root: string): string[] {
  return globSync('charts/*/values.schema.json', { cwd: root }).toSorted();
}

function readSchema(root: string, path: string): Schema {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Schema;
}

function described(root: string, path: string): Described {
  return describeSchema(readSchema(root, path), readFileSync(join(root, dirname(path), 'values.yaml'), 'utf8'));
}

/**
 * The schema with the comments of these values as descriptions, in place of those that it has.
 * @param values text of values.yaml
 */
export function describeSchema(schema: Schema, values: string): Described {
  const bare = withoutDescriptions(schema) as Schema;
  const faults = commentsOf(values).flatMap(({ path, text }) => {
    // The comments on components say what each of them does; the schema has one for all.
    if (path[0] === 'components') return [];
    const place = placeOf(bare, bare, path);
    if (place === undefined) return [`${path.join('.')} has a comment, and no place in the schema`];
    place.description ??= text;
    return [];
  });
  return { schema: bare, faults };
}

function withoutDescriptions(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutDescriptions(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNames || key !== 'description')
      .map(([key, inner]) => [key, withoutDescriptions(inner, !isNames && /^(properties|\$defs)$/.test(key))]),
  );
}

type Comment = { readonly path: readonly string[]; readonly text: string };

/** The comments that begin with `# --`, each with the path of the key below it. */
export function commentsOf(values: string): Comment[] {
  const above: { readonly indent: number; readonly key: string }[] = [];
  const found: Comment[] = [];
  let comment: string[] = [];
  for (const line of values.split('\n')) {
    const [, said] = /^\s*# ?(.*)$/.exec(line) ?? [];
    const [, indent = '', key] = /^( *)([\w.-]+):(?: |$)/.exec(line) ?? [];
    if (said !== undefined)
      comment = said.startsWith('-- ') ? [said.slice(3)] : comment.length > 0 ? [...comment, said] : [];
    else if (key !== undefined) {
      while ((above.at(-1)?.indent ?? -1) >= indent.length) above.pop();
      above.push({ indent: indent.length, key });
      const text = comment.filter((one) => !one.startsWith('@default')).join(' ');
      if (text !== '') found.push({ path: above.map((one) => one.key), text });
      comment = [];
    } else comment = [];
  }
  return found;
}

/** The schema of the value at `path`: behind references only for what is below it, as they are shared. */
function placeOf(root: Schema, schema: Schema, [key, ...below]: readonly string[]): Schema | undefined {
  if (key === undefined) return schema;
  for (const one of [schema, ...((schema['allOf'] ?? []) as Schema[])].map((part) => resolved(root, part))) {
    const properties = one['properties'] as Readonly<Record<string, Schema>> | undefined;
    const next = properties?.[key];
    const place = next && placeOf(root, next, below);
    if (place) return place;
    if (one !== schema && one['allOf'] !== undefined) {
      const inherited = placeOf(root, one, [key, ...below]);
      if (inherited) return inherited;
    }
  }
  return undefined;
}

function resolved(root: Schema, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const path = schema.$ref.replace(/^#\//, '').split('/');
  return resolved(root, path.reduce<unknown>((at, key) => (at as Schema)[key], root) as Schema);
}
