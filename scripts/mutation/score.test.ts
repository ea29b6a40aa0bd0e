import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { MutationRun, Mutant } from './run-stryker.ts';
import { scoreOf, survivors, table } from './score.ts';

const dir = mkdtempSync(join(tmpdir(), 'mutation-score-'));
const fileName = join(dir, 'rules.ts');
writeFileSync(fileName, 'const a = 1;\nconst b = (\n  a > 2\n);\n');
function mutant(status: Mutant['status'], replacement = ''): Mutant {
  return {
    id: '1',
    mutatorName: 'EqualityOperator',
    fileName,
    status,
    replacement,
    location: { start: { line: 2, column: 11 }, end: { line: 4, column: 2 } },
  };
}
function run(...mutants: readonly Mutant[]): MutationRun {
  return { name: 'rules', seconds: 61.4, mutants };
}

describe('the mutation score', () => {
  after(() => rmSync(dir, { recursive: true }));

  it('the mutation score counts infinite loops as detected, uncovered code as not, and ignores what could not run', () => {
    const mutants = (['Killed', 'Timeout', 'Survived', 'NoCoverage', 'CompileError', 'Ignored'] as const).map(
      (status) => mutant(status),
    );
    expect(scoreOf(mutants)).to.equal(50);
  });

  it('the mutation score is 0 when no mutant ran', () => {
    expect(scoreOf([])).to.equal(0);
    expect(scoreOf([mutant('RuntimeError')])).to.equal(0);
  });

  it('surviving mutants, and no others, are listed with place, original and replacement', () => {
    expect(survivors(run(mutant('Killed', 'x'), mutant('Survived', '(a >= 2)')))).to.match(
      /rules\.ts:2 {2}\( a > 2 \) {2}→ {2}\(a >= 2\)\n$/,
    );
    expect(survivors(run(mutant('Killed')))).to.equal('');
  });

  it('the table of mutation scores has a line per service and a total', () => {
    const lines = table([run(mutant('Killed')), run(mutant('Survived'))])
      .trim()
      .split('\n');
    expect(lines.map((line) => line.split(/\s{2,}/))).to.deep.equal([
      ['service', 'mutants', 'killed', 'timeout', 'survived', 'no cover', 'ignored', 'score', 'seconds'],
      ['rules', '1', '1', '0', '0', '0', '0', '100.0 %', '61'],
      ['rules', '1', '0', '0', '1', '0', '0', '0.0 %', '61'],
      ['sum', '2', '1', '0', '1', '0', '0', '50.0 %', '123'],
    ]);
  });
});
