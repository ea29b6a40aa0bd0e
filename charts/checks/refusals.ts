/**
 * Wrong values that a chart must refuse: charts/<chart>/ci/refused/*.yaml, each a list of cases. A case is set upon the
 * chart's smallest values, and what helm then says must name the value at fault.
 */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { output } from './outcome.ts';
import { inLanes, templateArguments } from './release.ts';

export type Refusal = {
  /** What is wrong, in words. */
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Name of the release, where it is that which is wrong. */
  readonly release?: string;
  /** What the message must contain: the path of the value, as its reader would look for it. */
  readonly says: string | readonly string[];
};
type Case = Refusal & { readonly chart: string; readonly file: string };

/** The fewest refusals that a chart must show. */
const fewest: Readonly<Record<string, number>> = { vds: 30, 'vds-devdeps': 8 };

/** How many cases there are, and which of them the charts do not refuse as they should. */
export async function checkRefusals(root: string, helm: string): Promise<{ count: number; faults: string[] }> {
  const cases = casesOf(root);
  const charts = globSync('charts/*/Chart.yaml', { cwd: root }).map((path) => path.split('/')[1] ?? '');
  const folder = mkdtempSync(join(tmpdir(), 'vds-refused-'));
  try {
    const found = await inLanes(
      [...cases.entries()],
      3,
      async ([index, one]) => await caseFaults(root, helm, folder, one, index),
    );
    return { count: cases.length, faults: [...countFaults(cases, charts), ...found.flat()] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function casesOf(root: string): Case[] {
  return globSync('charts/*/ci/refused/*.yaml', { cwd: root })
    .toSorted()
    .flatMap((file) => {
      const cases = parse(readFileSync(join(root, file), 'utf8')) as Refusal[];
      return cases.map((one) => ({ ...one, chart: file.split('/')[1] ?? '', file }));
    });
}

async function caseFaults(root: string, helm: string, folder: string, one: Case, index: number): Promise<string[]> {
  const values = join(folder, `${index}.yaml`);
  writeFileSync(values, JSON.stringify(one.values));
  const smallest = globSync(`charts/${one.chart}/ci/required-values.yaml`, { cwd: root });
  const files = [...smallest, values].flatMap((file) => ['-f', file]);
  const { code, text } = await output(helm, [...templateArguments(one.chart, one.release), ...files], { cwd: root });
  return refusalFaults(one, code, text).map((fault) => `${basename(one.file)}: ${one.name}: ${fault}`);
}

/** What helm said, judged. */
export function refusalFaults({ says }: Pick<Refusal, 'says'>, code: number, text: string): string[] {
  if (code === 0) return ['is taken'];
  if (/nil pointer|error calling (?!fail|include)/.test(text))
    return [`is refused by an accident of the template: ${text}`];
  const lacking = [says].flat().filter((words) => !text.includes(words));
  return lacking.length > 0 ? [`is refused without naming ${lacking.join(' and ')}: ${text}`] : [];
}

function countFaults(cases: readonly Case[], charts: readonly string[]): string[] {
  return charts.flatMap((chart) => {
    const count = cases.filter((one) => one.chart === chart).length;
    const needed = fewest[chart] ?? 1;
    return count < needed ? [`charts/${chart}/ci/refused has ${count} cases; at least ${needed} belong there`] : [];
  });
}
