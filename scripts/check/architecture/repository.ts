/** The repository as the architecture rules see it: paths and texts, read once. Tests construct small ones. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Repository = {
  /**
   * Path relative to the root, with slashes → text. Without generated files and lock files; binary files have no text.
   */
  readonly files: ReadonlyMap<string, string>;
};

/** A rule returns one sentence per violation, which starts with the path; an empty list means success. */
export type Rule = { readonly name: string; readonly breaches: (repository: Repository) => string[] };

const binary = /\.(png|jpe?g|ico|mp4|webm|mov|mkv|flac|wav|gz|tgz|woff2?)$/;
const leftOut = /(^|\/)generated\//;

/** Reads all files under `root` that git tracks or would track. */
export function readRepository(root: string): Repository {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const paths = listed.split('\0').filter((path) => path !== '' && !leftOut.test(path) && existsSync(join(root, path)));
  return {
    files: new Map(paths.map((path) => [path, binary.test(path) ? '' : readFileSync(join(root, path), 'utf8')])),
  };
}

/** A repository for tests. */
export function repositoryOf(files: Readonly<Record<string, string>>): Repository {
  return {
    files: new Map(Object.entries(files)),
  };
}

/** Files with a matching path, sorted by path. */
export function filesThat(repository: Repository, pattern: RegExp): [path: string, text: string][] {
  return [...repository.files].filter(([path]) => pattern.test(path)).toSorted(([a], [b]) => a.localeCompare(b));
}

/** Names of the services: the folders of `services/` that are no library (`_chassis`, `_client` …). */
export function servicesOf(repository: Repository): string[] {
  const folders = [...repository.files.keys()].flatMap((path) => /^services\/([^_/][^/]*)\//.exec(path)?.[1] ?? []);
  return [...new Set(folders)].toSorted();
}

/** The line, from 1, of the character at `offset`. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
