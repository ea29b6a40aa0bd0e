/** Whether tests need servers or installed programs, by what they import: pure ones run at once, on any machine. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { sourceOf } from '../check/architecture/source.ts';
import type { Suite } from './suites.ts';

/** Whoever reaches one of these starts, or looks for, something outside of its own process. */
const OUTSIDE =
  /\/(_testkit\/(servers\/servers-file\.ts|programs\/|media\/)|_chassis\/src\/sandbox\/(programs|tools)\.ts)/;

/** @param suites with the files that are to run */
export function needsServers(suites: readonly Suite[]): boolean {
  const seen = new Set<string>();
  const reaches = (file: string): boolean => {
    if (seen.has(file)) return false;
    seen.add(file);
    return OUTSIDE.test(file) || ownImports(file).some(reaches);
  };
  return suites.some(({ cwd, files }) => files.some((file) => reaches(join(cwd, file))));
}

/** The repository's own modules that a module imports at run time. */
function ownImports(file: string): string[] {
  const imports = sourceOf(file, readFileSync(file, 'utf8')).imports.filter(({ typeOnly }) => !typeOnly);
  return imports.flatMap(({ from }) => {
    if (!from.startsWith('.') && !from.startsWith('@vds/')) return [];
    const found = from.startsWith('.') ? resolve(file, '..', from) : createRequire(file).resolve(from);
    return found.endsWith('.ts') && existsSync(found) ? [found] : [];
  });
}
