/** Actor and reason of audit rows, and pages of them. */
import { auditPage, checkBy, pageOf, pageSizeOf } from '@vds/chassis/database/audit';
import { expect } from 'chai';

function refused(actor: string, reason: string, message: string): void {
  expect(() => checkBy({ actor, reason }, { caller: 'vdsctl' }))
    .to.throw(message)
    .with.property('code', 'INVALID_ARGUMENT');
}
const all = { actor: '', since: '', pageSize: 0, cursor: '' };

describe('actor and reason of an audit row', () => {
  it('actor and reason are trimmed, and the calling service is the actor when none is given', () => {
    expect(checkBy({ actor: ' ann ', reason: ' asked by mail\t' }, { caller: 'vdsctl' })).to.deep.equal({
      actor: 'ann',
      reason: 'asked by mail',
    });
    expect(checkBy({ actor: ' ', reason: '' }, { caller: 'vdsctl' })).to.deep.equal({ actor: 'vdsctl', reason: '' });
  });

  it('an actor has at most 200 and a reason at most 2,000 characters, none of them a control character', () => {
    const [actor, reason] = ['a'.repeat(200), 'r'.repeat(2_000)];
    expect(checkBy({ actor, reason }, { caller: 'vdsctl' })).to.deep.equal({ actor, reason });
    refused(`${actor}a`, '', 'the actor must be at most 200 characters without control characters');
    refused('', `${reason}r`, 'the reason must be at most 2000 characters without control characters');
    refused('a\nb', '', 'the actor must be at most 200 characters');
    refused('', 'a\u001bb', 'the reason must be at most 2000 characters');
  });
});

describe('a page of audit rows', () => {
  const rows = [3n, 2n, 1n].map((id) => ({ id, at: new Date(Number(id) * 1_000) }));

  it('a page has at most 200 rows', () => {
    expect([0, -1, 1, 200, 201].map(pageSizeOf)).to.deep.equal([200, 200, 1, 200, 200]);
    expect(auditPage({ ...all, pageSize: 7 }, [])).to.include({ take: 8 });
  });

  it('a page has the cursor of the next one, which is empty on the last page', () => {
    expect(pageOf(rows, { ...all, pageSize: 2 })).to.deep.equal({ rows: rows.slice(0, 2), nextCursor: '2000.2' });
    expect(pageOf(rows, { ...all, pageSize: 3 })).to.deep.equal({ rows, nextCursor: '' });
    expect(pageOf([], all)).to.deep.equal({ rows: [], nextCursor: '' });
  });

  it('an invalid time or cursor is rejected', () => {
    for (const wrong of [{ since: 'yesterday' }, { cursor: 'x' }, { cursor: `1.${'9'.repeat(30)}` }])
      expect(() => auditPage({ ...all, ...wrong }, []))
        .to.throw()
        .with.property('code', 'INVALID_ARGUMENT');
  });
});
