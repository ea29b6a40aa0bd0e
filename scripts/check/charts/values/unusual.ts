/**
 * Unusual values that a chart must accept: charts/<chart>/ci/unusual/*.yaml, each a list of cases. A case is merged
 * over the chart's required values; the render must violate no rule, have strings where Kubernetes requires strings,
 * contain the texts of `shows` and none of `hides`.
 */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { output } from '../outcome.ts';
import { mapConcurrently, templateArguments } from '../release.ts';
import { parseResources, titleOf, type Resource } from '../resource.ts';
import { resourceFaults } from '../rules/all.ts';

type Unusual = {
  /** What is unusual. */
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly release?: string;
  /** Texts that the render must contain. */
  readonly shows?: readonly string[];
  /** Texts that it must not contain. */
  readonly hides?: readonly string[];
};
type Case = Unusual & { readonly chart: string };

const maps = new Set(['labels', 'matchLabels', 'annotations', 'data', 'nodeSelector']);
const texts = new Set(['name', 'namespace', 'secretName', 'value', 'serverAddress', 'query', 'threshold']);

/** How many cases there are, and the violations in their renders. */
export async function checkUnusual(root: string, helm: string): Promise<{ count: number; faults: string[] }> {
  const cases = casesOf(root);
  const folder = mkdtempSync(join(tmpdir(), 'vds-unusual-'));
  try {
    const found = await mapConcurrently([...cases.entries()], 2, async ([index, one]) => {
      const values = join(folder, `${index}.yaml`);
      writeFileSync(values, JSON.stringify(one.values));
      const files = ['-f', `charts/${one.chart}/ci/required-values.yaml`, '-f', values];
      const { code, stdout, text } = await output(helm, [...templateArguments(one.chart, one.release), ...files], {
        cwd: root,
      });
      return unusualFaults(one, code, code === 0 ? stdout : text).map((fault) => `${one.name}: ${fault}`);
    });
    return { count: cases.length, faults: found.flat() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function casesOf(root: string): Case[] {
  return globSync('charts/*/ci/unusual/*.yaml', { cwd: root })
    .toSorted()
    .flatMap((file) => {
      const cases = parse(readFileSync(join(root, file), 'utf8')) as Unusual[];
      return cases.map((one) => ({ ...one, chart: file.split('/')[1] ?? '' }));
    });
}

function entries(value: unknown): (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** Judges helm's output. */
export function unusualFaults({ shows = [], hides = [] }: Unusual, code: number, text: string): string[] {
  if (code !== 0) return [`is rejected: ${text}`];
  const resources = parseResources(text);
  return [
    ...resources.flatMap(textFaults),
    ...resourceFaults(resources),
    ...shows.filter((expected) => !text.includes(expected)).map((expected) => `does not show ${expected}`),
    ...hides.filter((expected) => text.includes(expected)).map((expected) => `shows ${expected}`),
  ];
}

/** Numbers and booleans where Kubernetes requires strings. */
function textFaults(resource: Resource): string[] {
  const below = (value: unknown, path: string): string[] =>
    entries(value).flatMap(([key, inner]) => {
      const at = `${path}/${key}`;
      const list =
        maps.has(key) && !Array.isArray(inner) ? entries(inner) : texts.has(key) ? [['', inner] as const] : [];
      const wrong = list.filter(([, one]) => typeof one !== 'string');
      return [...wrong.map(([name]) => `${titleOf(resource)}: ${at} ${name} is no text`), ...below(inner, at)];
    });
  // Only in these does `value` or `data` mean something else.
  return ['PriorityClass', 'ExternalSecret'].includes(resource.kind)
    ? below(resource.metadata, '/metadata')
    : below(resource, '');
}
