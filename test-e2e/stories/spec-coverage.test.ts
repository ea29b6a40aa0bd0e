/** spec-coverage.md: every unit of the specification names existing tests, or states why it cannot have one. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import { provenUnits, type ProvenUnit } from './spec-proofs.ts';
import { unitsOf } from './spec-units.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('spec-coverage.md', import.meta.url));
const table = provenUnits(readFileSync(here, 'utf8'));
const quotes = ["'", '"', '`'];

/** Whether a test file contains a test with this title, as a quoted string. */
function hasTest(file: string, title: string): boolean {
  const path = join(root, file);
  if (!file.endsWith('.test.ts') || !existsSync(path)) return false;
  const text = readFileSync(path, 'utf8');
  return quotes.some(
    (quote) => text.includes(`(${quote}${title}${quote}`) || text.includes(`  ${quote}${title}${quote},`),
  );
}
function named({ under, text }: ProvenUnit): string {
  return `§${under}: ${text}`;
}

describe('the table of the specification', () => {
  it('every unit of the specification has proofs or a reason', () => {
    const bare = table.filter(({ proofs, reason }) => (proofs.length === 0) === (reason === undefined));
    expect(bare.map(named)).to.deep.equal([]);
  });

  it('the table of the specification names existing tests', () => {
    const missing = table.flatMap((unit) =>
      unit.proofs
        .filter(({ file, title }) => !hasTest(file, title))
        .map(({ file, title }) => `${named(unit)} ← ${file}: ${title}`),
    );
    expect(missing).to.deep.equal([]);
  });

  it('the table of the specification has units of every chapter, each once', () => {
    const chapters = ['1', '2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '3', '4', '5', '6', '7', '8', '9'];
    expect([...new Set(table.map(({ under }) => under))]).to.include.members(chapters);
    expect(new Set(table.map(named)).size).to.equal(table.length);
  });

  it('the table has exactly the sentences of the specification, word for word', function () {
    const spec = process.env['VDS_SPEC_FILE'];
    if (spec === undefined) return skipBecause(this, 'VDS_SPEC_FILE does not name the specification');
    const wanted = [...new Set(unitsOf(readFileSync(spec, 'utf8')).map(({ under, text }) => `§${under}: ${text}`))];
    expect(table.map(named)).to.have.members(wanted);
  });

  it('more than half of the specification’s units are proven by tests', () => {
    const proven = table.filter(({ proofs }) => proofs.length > 0);
    const tests = new Set(proven.flatMap(({ proofs }) => proofs.map(({ file, title }) => `${file} ${title}`)));
    console.log(
      `      ${table.length} units, ${proven.length} proven by ${tests.size} tests, the others with a reason`,
    );
    expect(proven.length).to.be.greaterThan(table.length / 2);
  });
});
