/** Golden renders: what every values file gives is committed, so that a change of a chart shows all that it changes. */
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { output } from './outcome.ts';
import type { Release } from './release.ts';

export type Render = { readonly release: Release; readonly text: string };

const shownLines = 60;
export const acceptHint = 'If this is what you meant: npm run check -- --accept, and commit what it wrote.';

/** What differs from the committed renders, as unified diffs. */
export async function goldenFaults(root: string, renders: readonly Render[]): Promise<string[]> {
  const left = orphans(root, renders).map((path) => `${path} is the render of no values file`);
  const faults = [...clashes(renders), ...(await changeFaults(root, renders)), ...left];
  return faults.length > 0 ? [...faults, acceptHint] : [];
}

/** Golden files that belong to no values file. */
function orphans(root: string, renders: readonly Render[]): string[] {
  const known = new Set(renders.map(({ release }) => goldenPath(release)));
  return globSync('charts/*/ci/golden/*', { cwd: root }).filter((path) => !known.has(path));
}

export function goldenPath({ chart, name }: Release): string {
  return `charts/${chart}/ci/golden/${name}.yaml`;
}

/** Two values files whose renders would be kept under one name. */
function clashes(renders: readonly Render[]): string[] {
  return Object.values(Object.groupBy(renders, ({ release }) => goldenPath(release))).flatMap((same = []) =>
    same.length > 1 ? [`${same.map(({ release }) => release.values).join(' and ')} have one name: rename one`] : [],
  );
}

/** The first render that differs in full, the others by their names: one change of a template is in all of them. */
async function changeFaults(root: string, renders: readonly Render[]): Promise<string[]> {
  const compared = renders.map((render) => ({
    path: goldenPath(render.release),
    committed: committedText(root, render.release),
    now: goldenText(render),
  }));
  const missing = compared.filter(({ committed }) => committed === undefined).map(({ path }) => `${path} is missing`);
  const changed = compared.flatMap(({ path, committed, now }) =>
    committed === undefined || committed === now ? [] : [{ path, committed, now }],
  );
  const [first, ...others] = changed;
  const shown = first ? shortened(await difference(first.path, first.committed, first.now)) : [];
  return [...missing, ...shown, ...others.map(({ path }) => `${path} differs too`)];
}

function committedText(root: string, release: Release): string | undefined {
  const path = join(root, goldenPath(release));
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/**
 * The committed text as it should be: the render under a line that says where it comes from. Helm 3 and 4 end a document
 * with different numbers of empty lines; none is kept.
 */
export function goldenText({ release, text }: Render): string {
  return `# What ${release.values} gives; written by npm run check -- --accept.\n${text.trimEnd()}\n`.replaceAll(
    /[ \t\n]*\n(?=---\n)/g,
    '\n',
  );
}

/** Lines cut after the first screenful; they say how many are left. */
export function shortened(lines: readonly string[], most = shownLines): string[] {
  return lines.length > most ? [...lines.slice(0, most), `… ${lines.length - most} lines more`] : [...lines];
}

/** Lines that differ, with three lines around them. */
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

/** Makes the committed renders what the charts give now. */
export function acceptGolden(root: string, renders: readonly Render[]): void {
  for (const path of orphans(root, renders)) rmSync(join(root, path));
  for (const render of renders) {
    const path = join(root, goldenPath(render.release));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, goldenText(render));
  }
}
