/** A clean build context: the files of this checkout that git tracks, and nothing else. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capture } from './run-program.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type Origin = {
  /** The product's version, from its package.json. */
  readonly version: string;
  /** The commit, with `-dirty` if the checkout differs from it. */
  readonly revision: string;
  /** Seconds since 1970: of the commit, or SOURCE_DATE_EPOCH. */
  readonly epoch: number;
};

/** The provenance labels of the images. */
export async function originOf(root: string, setting: string | undefined): Promise<Origin> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const commit = (await git(root, 'rev-parse', 'HEAD')).trim();
  const changed = (await git(root, 'status', '--porcelain')).trim() !== '';
  const epoch = Number(setting ?? (await git(root, 'log', '-1', '--format=%ct')));
  if (!Number.isSafeInteger(epoch)) throw new Error(`SOURCE_DATE_EPOCH must be whole seconds, got '${setting}'`);
  return { version, revision: changed ? `${commit}-dirty` : commit, epoch };
}

function git(root: string, ...words: string[]): Promise<string> {
  return capture('git', words, { cwd: root });
}

/**
 * Copies the tracked files, as in the checkout, into a new folder that is deleted with the process. Untracked files
 * stay out, ignored or not: the builder caches everything it receives, and it may be secret.
 * @param extra additional files: name → file, or undefined for an empty one
 * @returns the folder
 */
export async function stageContext(
  root: string,
  extra: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  const listed = await git(root, 'ls-files', '-z', '--cached');
  const folder = temporaryFolder('vds-images-');
  const copy = (from: string, name: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    copyFileSync(from, join(folder, name));
  };
  for (const path of listed.split('\0')) if (path !== '' && existsSync(join(root, path))) copy(join(root, path), path);
  for (const [name, file] of Object.entries(extra)) {
    if (file === undefined) writeFileSync(join(folder, name), '');
    else copy(file, name);
  }
  return folder;
}
