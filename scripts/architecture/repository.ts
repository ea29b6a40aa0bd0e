/** The tree that the architecture rules read: paths and texts, read once. A test makes small ones by hand. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Repository = {
  /** Path from the root, with slashes → text. Generated files and lock files are left out, binary files have no text. */
  readonly files: ReadonlyMap<string, string>;
};

/** A rule says every breach in one sentence that begins with the path; an empty list means that it is kept. */
export type Rule = { readonly name: string; readonly breaches: (repository: Repository) => string[] };

const binary = /\.(png|jpe?g|ico|mp4|webm|mov|mkv|flac|wav|gz|tgz|woff2?)$/;
const leftOut = /(^|\/)generated\//;

/** Reads what git keeps or would keep under `root`. */
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

/** A tree made by hand. */
export function repositoryOf(files: Readonly<Record<string, string>>): Repository {
  return {
    files: new Map(Object.entries(files)),
  };
}

/** Files whose path matches, in order of path. */
export function filesThat(repository: Repository, pattern: RegExp): [path: string, text: string][] {
  return [...repository.files].filter(([path]) => pattern.test(path)).toSorted(([a], [b]) => a.localeCompare(b));
}

/** Names of the services: every folder of `services/` but the chassis. */
export function servicesOf(repository: Repository): string[] {
  const folders = [...repository.files.keys()].flatMap((path) => /^services\/([^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(folders)].filter((name) => name !== '_chassis').toSorted();
}

/** The line, from 1, in which the character at `offset` stands. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
