/** The test files by suite. A suite is one mocha process. */
import { existsSync, globSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

export type Suite = { name: string; cwd: string; files: string[] };

const EXCLUDE = ['**/node_modules/**', '**/generated/**'];
/** Tests of one service on many made files take as long as those of several others: they are a suite of their own. */
const CORPUS = 'test/corpus/**/*.test.ts';

/**
 * Every suite that has files: contracts, libraries and services, deploy tools, scripts, and the end-to-end ones last.
 */
export function allSuites(root: string): Suite[] {
  return [
    suite(root, 'proto', 'proto', ['test/**/*.test.ts']),
    ...folders(join(root, 'services')).flatMap((name) => [
      suite(root, name, join('services', name), ['**/*.test.ts'], [CORPUS]),
      suite(root, `${name}/corpus`, join('services', name), [CORPUS]),
    ]),
    suite(root, 'deploy-tools', join('deploy', 'tools'), ['test/**/*.test.ts']),
    suite(root, 'scripts', 'scripts', ['**/*.test.ts']),
    suite(root, 'test-e2e', 'test-e2e', ['*.test.ts']),
    ...folders(join(root, 'test-e2e')).map((name) =>
      suite(root, `test-e2e/${name}`, 'test-e2e', [`${name}/**/*.test.ts`]),
    ),
  ].filter(({ files }) => files.length > 0);
}

function suite(root: string, name: string, folder: string, patterns: string[], without: string[] = []): Suite {
  return {
    name,
    cwd: join(root, folder),
    files: globSync(patterns, { cwd: join(root, folder), exclude: [...EXCLUDE, ...without] }).sort(),
  };
}

function folders(path: string): string[] {
  return existsSync(path)
    ? readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
        .map((entry) => entry.name)
        .sort()
    : [];
}

/**
 * The suites that match the names; all without names. A name is a suite (`auth`, `test-e2e`), or a part of a file's
 * path below the suite or the root (`stack/refusals`), which selects the suite with only the matching files.
 */
export function chosenSuites(root: string, suites: Suite[], names: string[]): Suite[] {
  if (names.length === 0) return suites;
  return suites
    .map((one) => {
      if (names.some((name) => one.name === name || one.name.startsWith(`${name}/`))) return one;
      const matches = (path: string): boolean => names.some((name) => path.includes(name));
      const files = one.files.filter(
        (file) => matches(`${one.name}/${file}`) || matches(relative(root, join(one.cwd, file))),
      );
      return { ...one, files };
    })
    .filter(({ files }) => files.length > 0);
}

/** The suites that take minutes, the longest first. */
const LONG = [
  'transcode',
  'captions',
  'test-e2e/contract',
  '_chassis',
  'test-e2e/stories',
  '_testkit',
  'ingest',
  'catalog',
  'indexer',
  'transcode/corpus',
  'test-e2e/browser',
  'test-e2e/operations',
  'metadata',
];

/** The suites in the order in which lanes that each take the next one end at about the same time. */
export function longestFirst(suites: readonly Suite[]): Suite[] {
  const rank = ({ name }: Suite): number => (LONG.includes(name) ? LONG.indexOf(name) : LONG.length);
  return suites.toSorted((one, other) => rank(one) - rank(other));
}

/** The names that match neither a suite nor a file. */
export function unmatchedNames(root: string, suites: Suite[], names: string[]): string[] {
  return names.filter((name) => chosenSuites(root, suites, [name]).length === 0);
}
