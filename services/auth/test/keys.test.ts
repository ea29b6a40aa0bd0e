import { expect } from 'chai';
import type pg from 'pg';
import type { TestDatabase } from '@vds/testkit/harness/database';
import { until } from '@vds/testkit/until';
import { makeApiKey, formatApiKey } from '../src/domain/api-key.ts';
import {
  authDatabase,
  BOTH_SCOPES,
  expectRejected,
  failureOf,
  poolOf,
  startAuth,
  type RunningAuth,
} from './fixtures.ts';

describe('API keys over gRPC', function () {
  this.timeout(60_000);

  let database: TestDatabase;
  let service: RunningAuth;
  let db: pg.Pool;
  let gateway: ReturnType<RunningAuth['as']>;
  let staff: ReturnType<RunningAuth['adminAs']>;
  let publisherId: string;

  before(async () => {
    database = await authDatabase();
    db = poolOf(database, 2);
    service = await startAuth(database);
    gateway = service.as('gateway');
    staff = service.adminAs('vdsctl');
    publisherId = (await staff.CreatePublisher({ name: 'League', organization: 'Sports Ltd' })).id;
  });
  after(async () => {
    await service.stop();
    await db.end();
    await database.drop();
  });

  const issue = async (limits: { minuteLimit?: number; dailyLimit?: number } = {}) => {
    const { key, secretKey } = await staff.IssueKey({ publisherId, scopes: BOTH_SCOPES, ...limits });
    return { key: key!, secretKey };
  };

  it('a new key authorizes its publisher and scopes with the limits of the specification', async () => {
    const { key, secretKey } = await issue();
    expect(key).to.deep.include({
      publisherId,
      scopes: BOTH_SCOPES,
      minuteLimit: 60,
      dailyLimit: 500,
      budgetId: key.id,
    });
    expect(secretKey).to.match(new RegExp(`^svc_live_${key.id}_[0-9A-Za-z]{32}$`));
    expect(await gateway.Authorize({ key: secretKey })).to.deep.equal({
      publisherId,
      keyId: key.id,
      budgetId: key.id,
      scopes: BOTH_SCOPES,
      minute: { admitted: true, limit: 60, remaining: 59, retryAfterSeconds: 0 },
      dailyLimit: 500,
    });
  });

  it('a request over the minute limit is reported without an error, with the seconds until the next', async () => {
    const { secretKey } = await issue({ minuteLimit: 1 });
    await gateway.Authorize({ key: secretKey });
    const { minute } = await gateway.Authorize({ key: secretKey });
    expect(minute).to.include({ admitted: false, limit: 1, remaining: 0 });
    expect(minute!.retryAfterSeconds).to.be.within(50, 60);
  });

  it('malformed, unknown and revoked keys and wrong secrets get the same answer', async () => {
    const { key, secretKey } = await issue();
    const other = await issue();
    await staff.RevokeKey({ keyId: other.key.id });
    await expectRejected(gateway.Authorize({ key: '' }));
    await expectRejected(gateway.Authorize({ key: 'Bearer x' }));
    await expectRejected(gateway.Authorize({ key: secretKey.slice(0, -1) + (secretKey.endsWith('a') ? 'b' : 'a') }));
    await expectRejected(gateway.Authorize({ key: formatApiKey(makeApiKey('u'.repeat(24), 'n'.repeat(26))) }));
    await expectRejected(gateway.Authorize({ key: formatApiKey(makeApiKey(key.id, 'n'.repeat(26))) }));
    await expectRejected(gateway.Authorize({ key: other.secretKey }));
  });

  it('guessing the secret of a key does not use up its limit', async () => {
    const { key, secretKey } = await issue({ minuteLimit: 2 });
    for (let n = 0; n < 5; n++)
      await expectRejected(gateway.Authorize({ key: formatApiKey(makeApiKey(key.id, `${n}`.repeat(26))) }));
    expect((await gateway.Authorize({ key: secretKey })).minute).to.deep.include({ admitted: true, remaining: 1 });
  });

  it('only the listed services may call Authorize and the administration', async () => {
    const { secretKey } = await issue();
    const failures = await Promise.all([
      failureOf(service.as('playback').Authorize({ key: secretKey })),
      failureOf(service.asOnAdminPort('gateway').Authorize({ key: secretKey })),
      failureOf(service.adminAs('gateway').ListPublishers({})),
      failureOf(service.as('unknown').Authorize({ key: secretKey })),
    ]);
    expect(failures.map(({ code }) => code)).to.deep.equal([
      ...Array.from({ length: 3 }, () => 'PERMISSION_DENIED'),
      'UNAUTHENTICATED',
    ]);
    // A wrong service token must be distinguishable from a partner's wrong key.
    expect(failures[3]?.reason).to.equal(undefined);
  });

  it('a key is neither in the logs nor in the database', async () => {
    const { secretKey } = await issue();
    await gateway.Authorize({ key: secretKey });
    await failureOf(gateway.Authorize({ key: `${secretKey}x` }));
    const secret = secretKey.slice(-32);
    await until(() => service.output().includes('"action":"key issue"'), { what: 'the log of the issue' });
    expect(service.output()).to.not.contain(secret);
    const { rows } = await db.query<{ row: string }>('select api_keys::text as row from api_keys');
    for (const { row } of rows) {
      expect(row).to.not.contain(secret);
      expect(row).to.not.contain(Buffer.from(secret).toString('hex'));
    }
  });
});
