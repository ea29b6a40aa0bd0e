/** Mocha's readable report on stdout, and the same as JSON in the file that VDS_TEST_REPORT names. */
import { writeFileSync } from 'node:fs';
import { Assertion } from 'chai';
import mocha from 'mocha';
import type { MochaOptions, Runner, Suite, Test } from 'mocha';

export type TestResult = {
  title: string;
  /** Its own title, without those of the suites around it, and its file: how spec-coverage.json names it. */
  name?: string;
  file?: string;
  /** How often it asserted something. */
  assertions?: number;
  state: 'passed' | 'failed' | 'skipped';
  ms: number;
  /** The reason for skipping (see skip.ts of the test kit). */
  reason?: string;
  error?: string;
};

/** Mocha instantiates reporters by `new`. */
export default function reporter(runner: Runner, options: MochaOptions): unknown {
  const results: TestResult[] = [];
  const asserted = countAssertions();
  let before = 0;
  runner.on('test', () => void (before = asserted()));
  const add = (test: Test, state: TestResult['state'], more: Partial<TestResult> = {}) => {
    const named = { title: test.fullTitle(), name: test.title, ...(test.file !== undefined && { file: test.file }) };
    results.push({ ...named, state, ms: test.duration ?? 0, assertions: asserted() - before, ...more });
  };
  runner.on('pass', (test) => add(test, 'passed'));
  runner.on('pending', (test) => add(test, 'skipped', { reason: reasonOf(test) }));
  // A failed hook arrives here too, as a separate test.
  runner.on('fail', (test, error) =>
    add(test, 'failed', { error: String((error as Error | undefined)?.message ?? error) }),
  );
  runner.once('end', () => {
    const file = process.env['VDS_TEST_REPORT'];
    if (file !== undefined) writeFileSync(file, JSON.stringify(results));
  });
  return new mocha.reporters.Spec(runner, options);
}

/** Counts from now on what `expect` decides; a test that decides nothing proves nothing. */
function countAssertions(): () => number {
  const prototype = Assertion.prototype as { assert: (...args: unknown[]) => void };
  const { assert } = prototype;
  let count = 0;
  prototype.assert = function (this: unknown, ...args) {
    count += 1;
    return assert.apply(this, args);
  };
  return () => count;
}

function reasonOf(test: Test): string {
  for (let at: Test | Suite | undefined = test; at !== undefined; at = at.parent) {
    const { skipReason } = at as { skipReason?: string };
    if (skipReason !== undefined) return skipReason;
  }
  return 'no reason given';
}
