/** What of the specification a whole run has proven: the table of its sentences against the run's report. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readCoverage, type Proof, type ProvenUnit } from '@vds/testkit/specification/proofs';
import type { SuiteResult } from './run-suite.ts';
import type { TestResult } from './reporter.ts';

const TABLE = 'test-e2e/stories/spec-coverage.json';

export type Coverage = {
  readonly proven: number;
  /** Rows without a test, by their kind of reason. */
  readonly reasons: ReadonlyMap<string, number>;
  /** Rows that this run has not proven, each with why. */
  readonly unproven: readonly string[];
};

/**
 * The coverage that a run's results give.
 * @param isBench whether `npm run bench -- <name>` exists
 * @param pathOf the path of a test's file as the table has it
 */
export function coverageOf(
  table: readonly ProvenUnit[],
  results: readonly TestResult[],
  { isBench, pathOf }: { readonly isBench: (name: string) => boolean; readonly pathOf: (file: string) => string },
): Coverage {
  const byFile = Map.groupBy(results, ({ file = '' }) => pathOf(file));
  const reasons = new Map<string, number>();
  const unproven: string[] = [];
  let proven = 0;
  for (const unit of table) {
    const { reason } = unit;
    const faults = reason
      ? reason.kind === 'bench' && !isBench(reason.text)
        ? [`no bench ${reason.text}`]
        : []
      : faultsOf(unit.proofs, byFile);
    if (faults.length > 0) unproven.push(`§${unit.under}: ${unit.text} (${faults.join('; ')})`);
    else if (reason) reasons.set(reason.kind, (reasons.get(reason.kind) ?? 0) + 1);
    else proven += 1;
  }
  return { proven, reasons, unproven };
}

/** Why none of the proofs counts; empty: one of them does, and every one of them is there. */
function faultsOf(proofs: readonly Proof[], byFile: ReadonlyMap<string, readonly TestResult[]>): string[] {
  if (proofs.length === 0) return ['no test and no reason'];
  const judged = proofs.map((proof) => ({ proof, fault: faultOf(proof, byFile.get(proof.file) ?? []) }));
  const missing = judged.filter(({ fault }) => fault === 'missing');
  if (missing.length === 0 && judged.some(({ fault }) => fault === undefined)) return [];
  return judged.flatMap(({ proof, fault }) => (fault === undefined ? [] : [`${proof.file}: ${proof.title}: ${fault}`]));
}

/** A templated title is every case of it that ran: none of them may have failed, and one must have asserted something. */
function faultOf({ title }: Proof, tests: readonly TestResult[]): string | undefined {
  const pattern = new RegExp(
    `^${title
      .split(/\$\{.*?\}(?=[^}]|$)/)
      .map((part) => RegExp.escape(part))
      .join('.*')}$`,
    's',
  );
  const cases = tests.filter(({ name = '' }) => pattern.test(name));
  if (cases.length === 0) return 'missing';
  if (cases.some(({ state }) => state === 'failed')) return 'failed';
  const passed = cases.filter(({ state }) => state === 'passed');
  if (passed.length === 0) return 'skipped';
  return passed.every(({ assertions = 0 }) => assertions === 0) ? 'asserts nothing' : undefined;
}

/** The coverage of a whole run in one line, and a failed test for each row that the run has not proven. */
export function reportCoverage(
  root: string,
  results: readonly SuiteResult[],
): { readonly text: string; readonly unproven: SuiteResult } {
  const table = readCoverage(join(root, TABLE));
  const { proven, reasons, unproven } = coverageOf(
    table,
    results.flatMap(({ tests }) => tests),
    {
      isBench: (name) => existsSync(join(root, `scripts/bench/${name}.ts`)),
      pathOf: (file) => relative(root, file),
    },
  );
  const kinds = [...reasons].map(([kind, count]) => `${count} ${kind}`);
  const text = `specification: ${table.length} rows, ${[`${proven} proven by this run`, ...kinds].join(', ')}, ${unproven.length} not proven`;
  const tests = unproven.map(
    (row) => ({ title: row, state: 'failed', ms: 0, error: `not proven (${TABLE})` }) as const,
  );
  return { text, unproven: { name: 'specification', seconds: 0, tests } };
}

/** The table as Markdown: each sentence of the specification, and what proves it. */
export function coverageReport(root: string): string {
  return readCoverage(join(root, TABLE))
    .map(({ under, text, proofs, reason }) =>
      [
        `- §${under}: ${text}`,
        ...proofs.map(({ file, title }) => `  - \`${file}\`: ${title}`),
        ...(reason ? [`  - ${reason.kind}: ${reason.text}`] : []),
      ].join('\n'),
    )
    .join('\n');
}
