/** Concurrent changes of one key: the audit serialises them. */
import { expect } from 'chai';
import { commitChange } from '../src/outbound/audit.ts';
import { revokeKey, setLimits } from '../src/outbound/api-keys.ts';
import { openReplicas, type Replicas } from './replicas.ts';

describe('the audit of concurrent changes', function () {
  this.timeout(30_000);
  let replicas: Replicas;
  before(async () => {
    replicas = await openReplicas();
  });
  after(async () => replicas.close());

  const by = { actor: 'sam', reason: 'a race' };
  const entriesOf = (keyId: string) => {
    const { prisma } = replicas.store;
    return prisma.audit.findMany({ where: { keyId, reason: by.reason }, orderBy: { id: 'asc' } });
  };

  it('the audit rows of concurrent changes form one chain of before and after', async () => {
    const { pool, prisma } = replicas.store;
    const { id } = await replicas.newKey(60);
    const limits = Array.from({ length: 5 }, (_, n) => n + 1);
    await Promise.all(limits.map((minuteLimit) => commitChange(pool, by, setLimits(id, { minuteLimit }))));
    const rows = await entriesOf(id);
    expect(rows).to.have.length(limits.length);
    let before = '60 per minute, 500 per day';
    for (const { was, became } of rows) {
      expect(was).to.equal(before);
      before = became;
    }
    const { minuteLimit } = await prisma.apiKey.findUniqueOrThrow({ where: { id } });
    expect(before).to.equal(`${minuteLimit} per minute, 500 per day`);
  });

  it('the audit of concurrent revocations has one that revoked the key and the others as no-ops', async () => {
    const { pool, prisma } = replicas.store;
    const { id } = await replicas.newKey(60);
    await Promise.all(Array.from({ length: 5 }, () => commitChange(pool, by, revokeKey(id))));
    const rows = await entriesOf(id);
    expect(rows.map(({ was }) => was === 'in force')).to.deep.equal([true, false, false, false, false]);
    const { revokedAt } = await prisma.apiKey.findUniqueOrThrow({ where: { id } });
    for (const { was } of rows.slice(1)) expect(was).to.equal(`revoked ${revokedAt?.toISOString()}`);
  });
});
