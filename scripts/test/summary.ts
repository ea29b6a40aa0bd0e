/** The report at the end of a run. */
import type { SuiteResult } from './run-suite.ts';

/** Whether anything failed, or nothing ran at all. */
export function runFailed(results: SuiteResult[]): boolean {
  return (
    results.some((result) => count(result, 'failed') > 0) || sum(results.map((result) => count(result, 'passed'))) === 0
  );
}

function count(result: SuiteResult, state: 'passed' | 'failed' | 'skipped'): number {
  return result.tests.filter((test) => test.state === state).length;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Skipped tests with reasons, failed ones with messages, a table of suites, and as last line `N passed, N failed, N skipped`. */
export function summary(results: SuiteResult[]): string {
  const lines: string[] = [];
  for (const { name, tests } of results) {
    for (const { title, state, reason } of tests)
      if (state === 'skipped') lines.push(`skipped  ${name}: ${title} (${reason})`);
  }
  for (const { name, tests } of results) {
    for (const { title, state, error } of tests) {
      if (state === 'failed') lines.push(`FAILED   ${name}: ${title}: ${(error ?? '').split('\n')[0]?.slice(0, 300)}`);
    }
  }
  const width = Math.max(5, ...results.map(({ name }) => name.length));
  lines.push('', `${'suite'.padEnd(width)}  seconds  passed  failed  skipped`);
  for (const result of results) {
    const numbers = [
      result.seconds.toFixed(1).padStart(7),
      String(count(result, 'passed')).padStart(6),
      String(count(result, 'failed')).padStart(6),
      String(count(result, 'skipped')).padStart(7),
    ];
    lines.push(`${result.name.padEnd(width)}  ${numbers.join('  ')}`);
  }
  const [passed, failed, skipped] = (['passed', 'failed', 'skipped'] as const).map((state) =>
    sum(results.map((result) => count(result, state))),
  );
  lines.push('', `${passed} passed, ${failed} failed, ${skipped} skipped`);
  return lines.join('\n');
}
