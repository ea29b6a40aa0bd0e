/**
 * Stryker's test runner for mocha 12 (its own imports files that mocha no longer has): loads the tests once and runs
 * them for one mutant after the other, and for each mutant only the tests that reach it.
 */
import './seed.ts';
import { resolve } from 'node:path';
import Mocha from 'mocha';

/** The variables that Stryker and the mutated program share; Stryker defines the name. */
type Switchboard = {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: object;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
};
const switchboard: Switchboard = ((globalThis as { __stryker__?: Switchboard }).__stryker__ ??= {});

type Outcome = { readonly id: string; readonly ms: number; readonly error?: string };
type MutantRun = {
  readonly activeMutant: { readonly id: string };
  /** The ids of the tests that reach it; absent: all. */
  readonly testFilter?: readonly string[];
  /** How often it may be passed before it counts as an infinite loop. */
  readonly hitLimit?: number;
  /** `static`: it is passed while files are loaded, in a process that has not loaded any yet. */
  readonly mutantActivation: 'static' | 'runtime';
};

const everything = /^/;

/** Read by Stryker. */
export const strykerPlugins = [
  { kind: 'TestRunner', name: 'mocha12', factory: Object.assign(openRunner, { inject: ['options'] }) },
];

function openRunner({ mochaOptions }: { readonly mochaOptions: { readonly spec: readonly string[] } }) {
  let mocha: Mocha | undefined;
  return {
    capabilities: () => ({ reloadEnvironment: false }),

    dryRun: async () => {
      mocha ??= await loaded(mochaOptions.spec);
      const tests = (await runTests(mocha, everything)).map(({ id, ms, error }) =>
        error === undefined
          ? { id, name: id, timeSpentMs: ms, status: 0 }
          : { id, name: id, timeSpentMs: ms, status: 1, failureMessage: error },
      );
      return { status: 'complete', tests, mutantCoverage: switchboard.mutantCoverage };
    },

    mutantRun: async ({ activeMutant, testFilter, hitLimit, mutantActivation }: MutantRun) => {
      switchboard.hitLimit = hitLimit;
      switchboard.hitCount = hitLimit === undefined ? undefined : 0;
      if (mutantActivation === 'static') switchboard.activeMutant = activeMutant.id;
      try {
        mocha ??= await loaded(mochaOptions.spec);
      } catch (error) {
        // A mutant that cannot be loaded counts as detected.
        return { status: 'killed', killedBy: [], failureMessage: String(error), nrOfTests: 0 };
      }
      switchboard.activeMutant = activeMutant.id;
      const outcomes = await runTests(mocha, testFilter === undefined ? everything : only(testFilter));
      const failed = outcomes.find(({ error }) => error !== undefined);
      if (hitLimit !== undefined && (switchboard.hitCount ?? 0) > hitLimit) return { status: 'timeout' };
      if (!failed) return { status: 'survived', nrOfTests: outcomes.length };
      return { status: 'killed', killedBy: [failed.id], failureMessage: failed.error, nrOfTests: outcomes.length };
    },
  };
}

async function loaded(files: readonly string[]): Promise<Mocha> {
  // The tests' own timeouts do not suit a busy machine; Stryker has one for the whole run.
  const mocha = new Mocha({ bail: true, timeout: 0, reporter: class {} as never });
  mocha.cleanReferencesAfterRun(false);
  for (const file of files) mocha.addFile(resolve(file));
  await mocha.loadFilesAsync();
  return mocha;
}

/** Runs the matching tests until the first failure. */
function runTests(mocha: Mocha, which: RegExp): Promise<readonly Outcome[]> {
  return new Promise((done) => {
    const outcomes: Outcome[] = [];
    const note = (test: Mocha.Runnable, error?: Error): void => {
      outcomes.push({ id: test.fullTitle(), ms: test.duration ?? 0, ...(error && { error: error.message }) });
    };
    const runner = mocha.grep(which).run(() => done(outcomes));
    runner.on('test', (test) => (switchboard.currentTestId = test.fullTitle()));
    runner.on('test end', () => (switchboard.currentTestId = undefined));
    runner.on('pass', (test) => note(test));
    runner.on('fail', (test, error: Error) => note(test, error));
  });
}

function only(ids: readonly string[]): RegExp {
  return new RegExp(`^(${ids.map((id) => RegExp.escape(id)).join('|')})$`);
}
