/** helm-docs generates each chart's README from the comments of its values, and the committed one is current. */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { output } from './outcome.ts';
import { acceptHint } from './golden/golden.ts';

/** Charts whose README is not current. */
export async function docsFaults(root: string, tool: string): Promise<string[]> {
  const faults = await Promise.all(
    chartsOf(root).map(async (chart) => {
      const path = join(root, chart, 'README.md');
      if (!existsSync(path)) return [`${chart}/README.md is missing`];
      const committed = `${readFileSync(path, 'utf8').trimEnd()}\n`;
      return committed === (await documented(root, tool, chart))
        ? []
        : [`${chart}/README.md is not what helm-docs makes of its values`];
    }),
  );
  const found = faults.flat();
  return found.length > 0 ? [...found, acceptHint] : [];
}

function chartsOf(root: string): string[] {
  return globSync('charts/*/Chart.yaml', { cwd: root })
    .map((path) => dirname(path))
    .toSorted();
}

/** The output of helm-docs for a chart. Strict: a value without a comment is a failure. */
async function documented(root: string, tool: string, chart: string): Promise<string> {
  const args = ['--dry-run', '--sort-values-order', 'file', '--log-level', 'warning', '--chart-search-root', chart];
  const { code, stdout, text } = await output(tool, args, { cwd: root });
  if (code !== 0 || stdout.trim() === '') throw new Error(`helm-docs makes no page of ${chart}: ${text}`);
  // With --dry-run helm-docs appends the line break of its print statement.
  return `${stdout.trimEnd()}\n`;
}

/** Writes the README of every chart. */
export async function writeDocs(root: string, tool: string): Promise<void> {
  for (const chart of chartsOf(root)) {
    writeFileSync(join(root, chart, 'README.md'), await documented(root, tool, chart));
  }
}
