/** Whether the images get every file that their programs import: what .dockerignore leaves out must not be among them. */
import { dirname, join, matchesGlob } from 'node:path/posix';
import type { Repository } from '../house-rules/repository.ts';
import { sourceOf } from '../house-rules/source.ts';

const entries = /^(services\/[^/]+\/src\/main|scripts\/(vdsctl\/main|migrate|generate))\.ts$/;

/** The file of the repository that an import leads to; undefined for packages and generated code. */
const fileOf = (repository: Repository, from: string, by: string): string | undefined => {
  if (from.startsWith('.')) return join(dirname(by), from);
  const [, room, path = 'index'] = /^@vds\/(shared|proto)(?:\/(.+))?$/.exec(from) ?? [];
  if (room === undefined) return undefined;
  const folder = room === 'proto' ? 'proto' : path.startsWith('testing/') ? 'services/_shared' : 'services/_shared/src';
  return [`${folder}/${path}`, `${folder}/${path}.ts`].find((file) => repository.files.has(file));
};

/** Adds `path` and all that it imports as a value, by whatever way, to `seen`. */
const follow = (repository: Repository, path: string, seen: Set<string>): Set<string> => {
  const text = repository.files.get(path);
  if (text === undefined || seen.has(path)) return seen;
  seen.add(path);
  if (!path.endsWith('.ts')) return seen;
  for (const { from, typeOnly } of sourceOf(path, text).imports) {
    const next = typeOnly ? undefined : fileOf(repository, from, path);
    if (next !== undefined) follow(repository, next, seen);
  }
  return seen;
};

/** Whether the last pattern that speaks of the path or of a folder above it leaves it out. */
const leftOut = (path: string, patterns: readonly string[]): boolean => {
  const parts = path.split('/');
  const above = parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
  const last = patterns.findLast((pattern) => above.some((one) => matchesGlob(one, pattern.replace(/^!/, ''))));
  return last !== undefined && !last.startsWith('!');
};

/** Files that a program of the images imports and that .dockerignore keeps from them. */
export const missingFromImages = (repository: Repository): string[] => {
  const patterns = (repository.files.get('.dockerignore') ?? '').split('\n').filter((line) => /^[^#\s]/.test(line));
  const starts = [...repository.files.keys()].filter((path) => entries.test(path));
  const needed = starts.reduce((seen, path) => follow(repository, path, seen), new Set<string>());
  return [...needed]
    .filter((path) => leftOut(path, patterns))
    .map((path) => `.dockerignore leaves out ${path}, which a program of the images imports`);
};
