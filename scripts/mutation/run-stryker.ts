/** Mutates a service's rules one place at a time with Stryker and counts how often its tests detect it. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { testsOf, type MutationTarget } from './targets.ts';

export type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number];
export type MutationRun = { readonly name: string; readonly seconds: number; readonly mutants: readonly Mutant[] };

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
): Promise<MutationRun> {
  const from = performance.now();
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
    reporters: process.stdout.isTTY ? ['html', 'json', 'progress'] : ['html', 'json'],
    htmlReporter: { fileName: join(out, 'report.html') },
    jsonReporter: { fileName: join(out, 'report.json') },
    logLevel: 'warn',
    allowConsoleColors: false,
  } as ConstructorParameters<typeof Stryker>[0]);
  const mutants = await stryker.runMutationTest();
  return { name: target.name, seconds: (performance.now() - from) / 1000, mutants };
}
