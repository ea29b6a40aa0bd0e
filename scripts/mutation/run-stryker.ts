/** Mutates a service's rules one place at a time with Stryker and counts how often its tests detect it. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { testsOf, type MutationTarget } from './targets.ts';

const MIN_PERCENT = 80;

/**
 * Works on a copy under `.vds/mutation`, so that the checkout is unchanged; the report of every mutant stays there.
 * @param root of the repository
 * @param only the part of `src/domain/` to mutate, as a glob
 * @param concurrency how many mutants run at a time
 * @throws Error when the tests fail without a mutation
 */
export async function runStryker(
  root: string,
  target: MutationTarget,
  only: string,
  concurrency: number,
): Promise<void> {
  const out = join('../../.vds/mutation', target.name);
  process.chdir(join(root, 'services', target.name));
  const stryker = new Stryker({
    mutate: [`src/domain/${only}`],
    ignorePatterns: ['generated', 'prisma'],
    plugins: [fileURLToPath(new URL('./runner.ts', import.meta.url))],
    testRunner: 'mocha12',
    mochaOptions: { spec: target.tests.flatMap((pattern) => testsOf('.', pattern)) },
    warnings: { unknownOptions: false, slow: false, preprocessorErrors: true, unserializableOptions: true },
    coverageAnalysis: 'perTest',
    concurrency,
    // Added to one and a half times the first run's duration: only an infinite loop exceeds it.
    timeoutMS: 30_000,
    disableTypeChecks: false,
    tempDirName: join(out, 'sandbox'),
    cleanTempDir: 'always',
    reporters: ['html', 'json', 'clear-text', ...(process.stdout.isTTY ? ['progress'] : [])],
    clearTextReporter: { logTests: false },
    thresholds: { high: MIN_PERCENT, low: MIN_PERCENT, break: MIN_PERCENT },
    htmlReporter: { fileName: join(out, 'report.html') },
    jsonReporter: { fileName: join(out, 'report.json') },
    logLevel: 'warn',
    allowConsoleColors: false,
  } as ConstructorParameters<typeof Stryker>[0]);
  await stryker.runMutationTest();
}
