/**
 * spec-coverage.json: every unit of the specification names tests, or states why it has none. Whether these tests ran,
 * passed and asserted something is read from the report of a whole run (scripts/test/spec-coverage.ts).
 */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import { readCoverage, type ProvenUnit } from '@vds/testkit/specification/proofs';
import { unitsOf } from '@vds/testkit/specification/units';

const table = readCoverage(new URL('spec-coverage.json', import.meta.url));

function named({ under, text }: ProvenUnit): string {
  return `§${under}: ${text}`;
}

describe('the table of the specification', () => {
  it('every unit of the specification has proofs or a reason', () => {
    const bare = table.filter(({ proofs, reason }) => (proofs.length === 0) === (reason === undefined));
    expect(bare.map(named)).to.deep.equal([]);
  });

  it('the table of the specification has units of every chapter, each once', () => {
    const chapters = ['1', '2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '3', '4', '5', '6', '7', '8', '9'];
    expect([...new Set(table.map(({ under }) => under))]).to.include.members(chapters);
    expect(new Set(table.map(named)).size).to.equal(table.length);
  });

  it('each test that the table names is in its file', () => {
    const root = new URL('../../', import.meta.url);
    const missing = table
      .flatMap(({ proofs }) => proofs)
      .filter(({ file, title }) => !readFileSync(new URL(file, root), 'utf8').replaceAll("\\'", "'").includes(title));
    expect(missing).to.deep.equal([]);
  });

  it('the table has exactly the sentences of the specification, word for word', function () {
    const spec = process.env['VDS_SPEC_FILE'];
    if (spec === undefined) return skipBecause(this, 'VDS_SPEC_FILE does not name the specification');
    const wanted = [...new Set(unitsOf(readFileSync(spec, 'utf8')).map(({ under, text }) => `§${under}: ${text}`))];
    expect(table.map(named)).to.have.members(wanted);
  });
});
