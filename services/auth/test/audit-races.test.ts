/** Changes of one key by many at once: the audit tells them as one story. */
import { expect } from 'chai';
import { make } from '../src/outbound/audit.ts';
import { revokeKey, setLimits } from '../src/outbound/key-changes.ts';
import { openReplicas, type Replicas } from './replicas.ts';

describe('the audit of changes at once', function () {
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

  it('goes on, row by row, from what the row before it left', async () => {
    const { prisma } = replicas.store;
    const { id } = await replicas.newKey(60);
    const limits = Array.from({ length: 5 }, (_, n) => n + 1);
    await Promise.all(
      limits.map((minuteLimit) => make(prisma, by, setLimits(id, { minuteLimit, dailyLimit: undefined }))),
    );
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

  it('has one revocation, and says of all others that it was revoked', async () => {
    const { prisma } = replicas.store;
    const { id } = await replicas.newKey(60);
    await Promise.all(Array.from({ length: 5 }, () => make(prisma, by, revokeKey(id))));
    const rows = await entriesOf(id);
    expect(rows.map(({ was }) => was === 'in force')).to.deep.equal([true, false, false, false, false]);
    const { revokedAt } = await prisma.apiKey.findUniqueOrThrow({ where: { id } });
    for (const { was } of rows.slice(1)) expect(was).to.equal(`revoked ${revokedAt?.toISOString()}`);
  });
});
