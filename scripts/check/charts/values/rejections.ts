/**
 * Wrong values that a chart must reject: charts/<chart>/ci/rejected/*.yaml, each a list of cases. A case is merged over the
 * chart's required values, and helm's error must mention the wrong value.
 */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { output } from '../outcome.ts';
import { mapConcurrently, templateArguments } from '../release.ts';

export type Rejection = {
  /** What is wrong. */
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Name of the release, if that is what is wrong. */
  readonly release?: string;
  /** What the error must contain: the path of the value. */
  readonly mentions: string | readonly string[];
};
type Case = Rejection & { readonly chart: string; readonly file: string };

/** The minimum number of cases of each chart. */
const fewest: Readonly<Record<string, number>> = { vds: 30, 'vds-devdeps': 8 };

/** How many cases there are, and which of them the charts fail to reject properly. */
export async function checkRejections(root: string, helm: string): Promise<{ count: number; faults: string[] }> {
  const cases = casesOf(root);
  const charts = globSync('charts/*/Chart.yaml', { cwd: root }).map((path) => path.split('/')[1] ?? '');
  const folder = mkdtempSync(join(tmpdir(), 'vds-rejected-'));
  try {
    const found = await mapConcurrently(
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
  return globSync('charts/*/ci/rejected/*.yaml', { cwd: root })
    .toSorted()
    .flatMap((file) => {
      const cases = parse(readFileSync(join(root, file), 'utf8')) as Rejection[];
      return cases.map((one) => ({ ...one, chart: file.split('/')[1] ?? '', file }));
    });
}

async function caseFaults(root: string, helm: string, folder: string, one: Case, index: number): Promise<string[]> {
  const values = join(folder, `${index}.yaml`);
  writeFileSync(values, JSON.stringify(one.values));
  const required = globSync(`charts/${one.chart}/ci/required-values.yaml`, { cwd: root });
  const files = [...required, values].flatMap((file) => ['-f', file]);
  const { code, text } = await output(helm, [...templateArguments(one.chart, one.release), ...files], { cwd: root });
  return rejectionFaults(one, code, text).map((fault) => `${basename(one.file)}: ${one.name}: ${fault}`);
}

/** Judges helm's exit code and output. */
export function rejectionFaults({ mentions }: Pick<Rejection, 'mentions'>, code: number, text: string): string[] {
  if (code === 0) return ['is accepted'];
  if (/nil pointer|error calling (?!fail|include)/.test(text))
    return [`is rejected by an error of the template: ${text}`];
  const lacking = [mentions].flat().filter((expected) => !text.includes(expected));
  return lacking.length > 0 ? [`is rejected without mentioning ${lacking.join(' and ')}: ${text}`] : [];
}

function countFaults(cases: readonly Case[], charts: readonly string[]): string[] {
  return charts.flatMap((chart) => {
    const count = cases.filter((one) => one.chart === chart).length;
    const needed = fewest[chart] ?? 1;
    return count < needed ? [`charts/${chart}/ci/rejected has ${count} cases; at least ${needed} belong there`] : [];
  });
}
