/** Golden renders: the render of every values file is committed, so that a review shows every effect of a change. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { output } from '../outcome.ts';
import { goldenFiles, goldenFolder, type Render } from './golden-files.ts';

const SHOWN_LINES = 60;
export const acceptHint = 'If this is what you meant: npm run check -- --accept, and commit what it wrote.';

/** The first screenful of the difference from the committed renders. */
export async function goldenFaults(root: string, renders: readonly Render[]): Promise<string[]> {
  const now = mkdtempSync(join(tmpdir(), 'vds-golden-'));
  try {
    write(now, renders);
    const found = await Promise.all(
      foldersOf(renders).map((folder) => difference(join(root, folder), join(now, folder))),
    );
    const lines = found.flat();
    const more = lines.length > SHOWN_LINES ? [`… ${lines.length - SHOWN_LINES} lines more`] : [];
    const faults = [...clashes(renders), ...lines.slice(0, SHOWN_LINES), ...more];
    return faults.length > 0 ? [...faults, acceptHint] : [];
  } finally {
    rmSync(now, { recursive: true, force: true });
  }
}

/** Two values files whose renders would be stored under one name. */
function clashes(renders: readonly Render[]): string[] {
  return Object.values(Object.groupBy(renders, ({ release }) => goldenFolder(release))).flatMap((same = []) =>
    same.length > 1 ? [`${same.map(({ release }) => release.values).join(' and ')} have one name: rename one`] : [],
  );
}

async function difference(committed: string, now: string): Promise<string[]> {
  const { stdout, text } = await output('git', ['diff', '--no-index', '--no-ext-diff', '--no-color', committed, now], {
    cwd: '/',
  });
  if (stdout === '' && text !== '') throw new Error(text);
  return stdout === '' ? [] : stdout.trimEnd().split('\n');
}

/** Rewrites the committed renders. */
export function acceptGolden(root: string, renders: readonly Render[]): void {
  for (const folder of foldersOf(renders)) rmSync(join(root, folder), { recursive: true, force: true });
  write(root, renders);
}

function foldersOf(renders: readonly Render[]): string[] {
  return [...new Set(renders.map(({ release }) => dirname(goldenFolder(release))))];
}

function write(root: string, renders: readonly Render[]): void {
  for (const [path, text] of goldenFiles(renders)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
