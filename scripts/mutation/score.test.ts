import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Broken, Mutant } from './break-room.ts';
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
function broken(...mutants: readonly Mutant[]): Broken {
  return { name: 'rules', seconds: 61.4, mutants };
}

describe('the score of broken programs', () => {
  after(() => rmSync(dir, { recursive: true }));

  it('counts loops without an end as noticed, code without a test as not, and leaves out what could not run', () => {
    const mutants = (['Killed', 'Timeout', 'Survived', 'NoCoverage', 'CompileError', 'Ignored'] as const).map(
      (status) => mutant(status),
    );
    expect(scoreOf(mutants)).to.equal(50);
  });

  it('is 0 where nothing ran: no mutants prove nothing', () => {
    expect(scoreOf([])).to.equal(0);
    expect(scoreOf([mutant('RuntimeError')])).to.equal(0);
  });

  it('comes with what stood where in place of what, for each survivor and no other', () => {
    expect(survivors(broken(mutant('Killed', 'x'), mutant('Survived', '(a >= 2)')))).to.match(
      /rules\.ts:2 {2}\( a > 2 \) {2}→ {2}\(a >= 2\)\n$/,
    );
    expect(survivors(broken(mutant('Killed')))).to.equal('');
  });

  it('is printed for each service and for their sum', () => {
    const lines = table([broken(mutant('Killed')), broken(mutant('Survived'))])
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
