import { expect } from 'chai';
import fc from 'fast-check';
import { span } from '../src/domain/span.ts';
import { facts, table, tableWithNotes } from '../src/inbound/output.ts';

describe('the layout of vdsctl', () => {
  it('a table that fits is one line a row, without milliseconds', () => {
    expect(table(['at', 'who'], [['2030-01-01T00:00:00.123Z', 'sam']], '')).to.equal(
      'AT                    WHO\n2030-01-01T00:00:00Z  sam',
    );
  });

  it('a long text is continued below, and an id beside it is not broken', () => {
    const id = '01jd3m8q0c7e5b9x2k4n6p8rst';
    const long = 'the quick brown fox jumps over the lazy dog '.repeat(3).trim();
    const lines = table(['video', 'title'], [[id, long]], '').split('\n');
    expect(lines).to.have.length(4);
    expect(lines[1]).to.match(new RegExp(`^${id}  the quick`));
    expect(lines[2]).to.match(/^ {28}\S/);
    expect(lines.join(' ').replaceAll(/ +/g, ' ')).to.include(long);
  });

  it('no line is wider than 80 columns, whatever is in the cells, and no character is lost', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '/', 'é', ' '), maxLength: 200, size: 'max' });
    const row = fc.record({ cells: fc.array(cell, { minLength: 5, maxLength: 5 }), note: cell });
    const letters = (text: string): string => [...text.replaceAll(' ', '')].toSorted().join('');
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), (rows) => {
        const text = tableWithNotes(['v', 'w', 'x', 'y', 'z'], rows, '');
        for (const line of text.split('\n')) expect(line.length).to.be.at.most(80);
        const written = rows.map(({ cells, note }) => cells.join('') + note).join('');
        expect(letters(text.replaceAll('\n', ''))).to.equal(letters(`VWXYZ${written}`));
      }),
    );
  });

  it('facts are continued under their values', () => {
    const lines = facts([['failure', 'word '.repeat(30).trim()]]).split('\n');
    expect(lines).to.have.length(3);
    expect(lines[1]).to.match(/^ {9}word/);
  });

  it('a span of time has the unit that says enough', () => {
    const spans = [-5, 38, 89, 91, 3_600, 7_500, 200_000].map((seconds) => span(1_000 * seconds));
    expect(spans).to.deep.equal(['0 s', '38 s', '89 s', '2 min', '60 min', '2 h 5 min', '2 d']);
  });
});
