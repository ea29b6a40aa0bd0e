import { expect } from 'chai';
import type { TestDatabase } from '@vds/testkit/harness/database';
import { authDatabase, BOTH_SCOPES, expectRejected, failureOf, startAuth, type RunningAuth } from './fixtures.ts';

describe('the administration of API keys', function () {
  this.timeout(60_000);

  let database: TestDatabase;
  let service: RunningAuth;
  let gateway: ReturnType<RunningAuth['as']>;
  let staff: ReturnType<RunningAuth['adminAs']>;
  let publisherId: string;

  before(async () => {
    database = await authDatabase();
    service = await startAuth(database);
    gateway = service.as('gateway');
    staff = service.adminAs('vdsctl');
    publisherId = (await staff.CreatePublisher({ name: 'League', organization: 'Sports Ltd' })).id;
  });
  after(async () => {
    await service.stop();
    await database.drop();
  });

  const issue = async (limits: { minuteLimit?: number; dailyLimit?: number } = {}) => {
    const { key, secretKey } = await staff.IssueKey({ publisherId, scopes: BOTH_SCOPES, ...limits });
    return { key: key!, secretKey };
  };

  it('a revoked key is rejected at once, and a second revocation changes nothing', async () => {
    const { key, secretKey } = await issue();
    await gateway.Authorize({ key: secretKey });
    const revoked = await staff.RevokeKey({ keyId: key.id });
    await expectRejected(gateway.Authorize({ key: secretKey }));
    expect(revoked.revokedAt).to.be.a('string');
    expect(await staff.RevokeKey({ keyId: key.id })).to.deep.equal(revoked);
  });

  it('rotating a key keeps its scopes, limits and day budget and revokes the old one at once', async () => {
    const { key } = await staff.IssueKey({ publisherId, scopes: ['videos:read'], minuteLimit: 7, dailyLimit: 9 });
    const first = await staff.RotateKey({ keyId: key!.id });
    const second = await staff.RotateKey({ keyId: first.key!.id });
    await expectRejected(gateway.Authorize({ key: first.secretKey }));
    expect(await gateway.Authorize({ key: second.secretKey })).to.deep.equal({
      publisherId,
      keyId: second.key!.id,
      budgetId: key!.id,
      scopes: ['videos:read'],
      minute: { admitted: true, limit: 7, remaining: 6, retryAfterSeconds: 0 },
      dailyLimit: 9,
    });
    const listed = (await staff.ListKeys({ publisherId })).keys.filter(({ budgetId }) => budgetId === key!.id);
    expect(listed.map(({ id, revokedAt }) => [id, revokedAt !== undefined])).to.deep.equal([
      [key!.id, true],
      [first.key!.id, true],
      [second.key!.id, false],
    ]);
  });

  it('of several concurrent rotations of a key exactly one succeeds', async () => {
    const { key } = await issue();
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => staff.RotateKey({ keyId: key.id })));
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).to.have.property('code', 'FAILED_PRECONDITION');
    const active = (await staff.ListKeys({ publisherId })).keys.filter(
      ({ budgetId, revokedAt }) => budgetId === key.id && revokedAt === undefined,
    );
    expect(active).to.have.length(1);
  });

  it('new limits apply from the next request on', async () => {
    const { key, secretKey } = await issue();
    await gateway.Authorize({ key: secretKey });
    expect(await staff.SetLimits({ keyId: key.id, minuteLimit: 1 })).to.deep.include({
      minuteLimit: 1,
      dailyLimit: 500,
    });
    expect((await gateway.Authorize({ key: secretKey })).minute).to.deep.include({ admitted: false, limit: 1 });
    await staff.SetLimits({ keyId: key.id, minuteLimit: 2, dailyLimit: 1 });
    expect(await gateway.Authorize({ key: secretKey }))
      .to.deep.include({ dailyLimit: 1 })
      .and.to.have.nested.property('minute.admitted', true);
  });

  it('an unknown publisher or key is NOT_FOUND', async () => {
    const keyId = 'n'.repeat(24);
    const failures = await Promise.all([
      failureOf(staff.IssueKey({ publisherId: 'pub_none', scopes: BOTH_SCOPES })),
      failureOf(staff.ListKeys({ publisherId: 'pub_none' })),
      failureOf(staff.RotateKey({ keyId })),
      failureOf(staff.RevokeKey({ keyId })),
      failureOf(staff.SetLimits({ keyId, minuteLimit: 1 })),
    ]);
    for (const { code } of failures) expect(code).to.equal('NOT_FOUND');
  });

  it('a key is neither issued with invalid settings nor changed once revoked', async () => {
    const { key } = await issue();
    await staff.RevokeKey({ keyId: key.id });
    const failures = await Promise.all([
      failureOf(staff.IssueKey({ publisherId, scopes: [] })),
      failureOf(staff.IssueKey({ publisherId, scopes: BOTH_SCOPES, minuteLimit: 0 })),
      failureOf(staff.SetLimits({ keyId: key.id })),
      failureOf(staff.CreatePublisher({ name: '', organization: 'x' })),
      failureOf(staff.RotateKey({ keyId: key.id })),
      failureOf(staff.SetLimits({ keyId: key.id, dailyLimit: 5 })),
    ]);
    expect(failures.map(({ code }) => code)).to.deep.equal([
      ...Array.from({ length: 4 }, () => 'INVALID_ARGUMENT'),
      ...Array.from({ length: 2 }, () => 'FAILED_PRECONDITION'),
    ]);
  });

  it('publishers are listed oldest first', async () => {
    const later = await staff.CreatePublisher({ name: 'Team', organization: 'Team GmbH' });
    const { publishers } = await staff.ListPublishers({});
    expect(publishers.map(({ id }) => id)).to.deep.equal([publisherId, later.id]);
    expect(publishers[1]).to.deep.equal(later);
    expect(later).to.deep.include({ name: 'Team', organization: 'Team GmbH' });
    expect((await staff.ListKeys({ publisherId: later.id })).keys).to.deep.equal([]);
  });
});
