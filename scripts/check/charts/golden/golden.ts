/** Golden renders: the render of every values file is committed, so that a review shows every effect of a change. */
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { output } from '../outcome.ts';
import { goldenFiles, goldenFolder, type Render } from './golden-files.ts';

const SHOWN_LINES = 60;
export const acceptHint = 'If this is what you meant: npm run check -- --accept, and commit what it wrote.';

/** Differences from the committed renders, as unified diffs. */
export async function goldenFaults(root: string, renders: readonly Render[]): Promise<string[]> {
  const files = goldenFiles(renders);
  const stale = staleFiles(root, files).map((path) => `${path} is stale: nothing renders it`);
  const faults = [...clashes(renders), ...(await changeFaults(root, files)), ...stale];
  return faults.length > 0 ? [...faults, acceptHint] : [];
}

/** Committed files that no render would write. */
function staleFiles(root: string, files: ReadonlyMap<string, string>): string[] {
  return globSync('charts/*/ci/golden/**', { cwd: root })
    .filter((path) => statSync(join(root, path)).isFile() && !files.has(path))
    .toSorted();
}

/** Two values files whose renders would be stored under one name. */
function clashes(renders: readonly Render[]): string[] {
  return Object.values(Object.groupBy(renders, ({ release }) => goldenFolder(release))).flatMap((same = []) =>
    same.length > 1 ? [`${same.map(({ release }) => release.values).join(' and ')} have one name: rename one`] : [],
  );
}

/** The first changed file as a diff, the others by name: one change of a template may affect many. */
async function changeFaults(root: string, files: ReadonlyMap<string, string>): Promise<string[]> {
  const compared = [...files].map(([path, now]) => ({ path, now, committed: committedText(root, path) }));
  const missing = compared.filter(({ committed }) => committed === undefined).map(({ path }) => `${path} is missing`);
  const changed = compared.flatMap(({ path, committed, now }) =>
    committed === undefined || committed === now ? [] : [{ path, committed, now }],
  );
  const [first, ...others] = changed;
  const shown = first ? shortened(await difference(first.path, first.committed, first.now)) : [];
  return [...missing, ...shown, ...others.map(({ path }) => `${path} differs too`)];
}

function committedText(root: string, path: string): string | undefined {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
}

/** The first screenful of lines, and the number of the others. */
export function shortened(lines: readonly string[], most = SHOWN_LINES): string[] {
  return lines.length > most ? [...lines.slice(0, most), `… ${lines.length - most} lines more`] : [...lines];
}

/** Changed lines, with three lines of context. */
async function difference(path: string, committed: string, now: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'vds-golden-'));
  try {
    writeFileSync(join(folder, 'committed'), committed);
    writeFileSync(join(folder, 'now'), now);
    const labels = ['--label', `${path} (committed)`, '--label', `${path} (rendered now)`];
    const { stdout } = await output('diff', ['-U', '3', ...labels, 'committed', 'now'], { cwd: folder });
    return stdout.trimEnd().split('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Rewrites the committed renders. */
export function acceptGolden(root: string, renders: readonly Render[]): void {
  const files = goldenFiles(renders);
  for (const path of staleFiles(root, files)) rmSync(join(root, path));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
