/** Every change by the operator's staff is permanently audited with actor and reason, in its own transaction. */
import { expect } from 'chai';
import type { TestDatabase } from '@vds/testkit/harness/database';
import type pg from 'pg';
import { authDatabase, BOTH_SCOPES, failureOf, poolOf, startAuth, type RunningAuth } from './fixtures.ts';

describe('the audit of auth', function () {
  this.timeout(60_000);

  let database: TestDatabase;
  let service: RunningAuth;
  let staff: ReturnType<RunningAuth['adminAs']>;
  let pool: pg.Pool;

  before(async () => {
    database = await authDatabase();
    service = await startAuth(database);
    staff = service.adminAs('vdsctl');
    pool = poolOf(database, 2);
  });
  after(async () => {
    await service.stop();
    await pool.end();
    await database.drop();
  });

  const by = (reason: string) => ({ actor: 'sam', reason });
  const newPublisher = async () =>
    (await staff.CreatePublisher({ name: 'League', organization: 'Sports Ltd', ...by('invited') })).id;
  const newKey = async (publisherId: string) =>
    (await staff.IssueKey({ publisherId, scopes: BOTH_SCOPES, ...by('their first') })).key!;
  const entriesOf = async (publisherId: string) => (await staff.ListAudit({ publisherId })).entries.toReversed();
  const rows = async (): Promise<unknown[]> => (await pool.query('select * from audit order by id')).rows;
  const contents = async (): Promise<unknown[]> => [
    await rows(),
    ...(await Promise.all(
      ['publishers', 'api_keys', 'signing_keys'].map(
        async (name) => (await pool.query(`select * from ${name} order by 1`)).rows,
      ),
    )),
  ];

  it('every change has an audit row with who, why, before and after', async () => {
    const publisherId = await newPublisher();
    await staff.UpdatePublisher({ publisherId, name: 'The League', ...by('they asked') });
    const key = await newKey(publisherId);
    await staff.SetLimits({ keyId: key.id, minuteLimit: 120, ...by('a big weekend') });
    const { key: next } = await staff.RotateKey({ keyId: key.id, ...by('seen in a log') });
    await staff.RevokeKey({ keyId: next!.id, ...by('they left') });
    await staff.RevokeKey({ keyId: next!.id, ...by('to be sure') });
    const { revokedAt } = await staff.GetKey({ keyId: next!.id });
    const entries = await entriesOf(publisherId);
    expect(entries.map(({ action, was, became, reason }) => [action, was, became, reason].join(' | '))).to.deep.equal([
      "publisher create |  | 'League' of 'Sports Ltd' | invited",
      "publisher rename | 'League' of 'Sports Ltd' | 'The League' of 'Sports Ltd' | they asked",
      'key issue |  | videos:read videos:write, 60 per minute, 500 per day | their first',
      'key limits | 60 per minute, 500 per day | 120 per minute, 500 per day | a big weekend',
      'key rotate | in force | revoked, replaced by a new key | seen in a log',
      'key revoke | in force | revoked | they left',
      `key revoke | revoked ${revokedAt} | revoked ${revokedAt} | to be sure`,
    ]);
    for (const entry of entries) expect(entry).to.include({ actor: 'sam', publisherId });
    expect(entries.map(({ keyId, newKeyId }) => [keyId, newKeyId])).to.deep.equal([
      [undefined, undefined],
      [undefined, undefined],
      [key.id, undefined],
      [key.id, undefined],
      [key.id, next!.id],
      [next!.id, undefined],
      [next!.id, undefined],
    ]);
  });

  it('rotating the signing key writes an audit row', async () => {
    const { kid, signsFrom } = await staff.RotateSigningKey(by('every quarter'));
    const [entry] = (await staff.ListAudit({ keyId: kid })).entries;
    expect(entry).to.include({ actor: 'sam', action: 'signing-key rotate', became: `signs from ${signsFrom}` });
    expect(entry?.was).to.match(/^signed with [\w-]{43}$/);
  });

  it('the audit names the calling service when no actor is given', async () => {
    const { id } = await staff.CreatePublisher({ name: 'n', organization: 'o' });
    expect((await entriesOf(id))[0]).to.include({ actor: 'vdsctl', reason: '' });
  });

  it('the audit contains no key, and a reason that contains one is rejected', async () => {
    const publisherId = await newPublisher();
    const { secretKey } = await staff.IssueKey({ publisherId, scopes: BOTH_SCOPES, ...by('x') });
    const { code } = await failureOf(staff.CreatePublisher({ name: 'n', organization: 'o', ...by(`of ${secretKey}`) }));
    expect(code).to.equal('INVALID_ARGUMENT');
    const bad = { name: 'n', organization: 'o' };
    expect(await failureOf(staff.CreatePublisher({ ...bad, actor: 'a\u001b[31m', reason: '' }))).to.include({ code });
    expect(await failureOf(staff.CreatePublisher({ ...bad, ...by('x'.repeat(2_001)) }))).to.include({ code });
    const kept = JSON.stringify(await rows());
    expect(kept).to.not.contain(secretKey.slice(-32));
  });

  it('a failed change leaves no audit row', async () => {
    const publisherId = await newPublisher();
    const { id: keyId } = await newKey(publisherId);
    await staff.RevokeKey({ keyId, ...by('x') });
    const before = await contents();
    const failures = await Promise.all([
      failureOf(staff.RotateKey({ keyId, ...by('x') })),
      failureOf(staff.SetLimits({ keyId, minuteLimit: 5, ...by('x') })),
      failureOf(staff.IssueKey({ publisherId: 'pub_none', scopes: BOTH_SCOPES, ...by('x') })),
      failureOf(staff.IssueKey({ publisherId, scopes: BOTH_SCOPES, minuteLimit: 0, ...by('x') })),
      failureOf(staff.UpdatePublisher({ publisherId, ...by('x') })),
      failureOf(staff.UpdatePublisher({ publisherId, name: '', ...by('x') })),
      failureOf(staff.RotateSigningKey(by('an earlier one is pending'))),
    ]);
    expect(failures.map(({ code }) => code)).to.deep.equal([
      'FAILED_PRECONDITION',
      'FAILED_PRECONDITION',
      'NOT_FOUND',
      'INVALID_ARGUMENT',
      'INVALID_ARGUMENT',
      'INVALID_ARGUMENT',
      'FAILED_PRECONDITION',
    ]);
    expect(await contents()).to.deep.equal(before);
  });

  it('a change whose audit row cannot be written is rolled back', async () => {
    const publisherId = await newPublisher();
    const { id: keyId } = await newKey(publisherId);
    await pool.query(`alter table audit add constraint rejected check (reason <> 'reject this')`);
    const before = await contents();
    const why = by('reject this');
    const calls = [
      staff.CreatePublisher({ name: 'n', organization: 'o', ...why }),
      staff.UpdatePublisher({ publisherId, name: 'other', ...why }),
      staff.IssueKey({ publisherId, scopes: BOTH_SCOPES, ...why }),
      staff.SetLimits({ keyId, minuteLimit: 5, ...why }),
      staff.RotateKey({ keyId, ...why }),
      staff.RevokeKey({ keyId, ...why }),
    ];
    for (const { code } of await Promise.all(calls.map(failureOf))) expect(code).to.equal('INTERNAL');
    expect(await contents()).to.deep.equal(before);
    await pool.query('alter table audit drop constraint rejected');
  });

  it('audit rows cannot be updated or deleted, whatever the role’s grants', async () => {
    const before = await rows();
    for (const verb of [`update audit set actor = 'x'`, 'delete from audit where false', 'truncate audit'])
      expect((await failureOf(pool.query(verb))).message, verb).to.contain('never changed or removed');
    expect(await rows())
      .to.deep.equal(before)
      .and.not.to.deep.equal([]);
  });

  it('previewing a change returns its audit or its error and changes nothing', async () => {
    const publisherId = await newPublisher();
    const { id: keyId } = await newKey(publisherId);
    const before = await contents();
    expect(await staff.PreviewChange({ setLimits: { keyId, dailyLimit: 9, ...by('x') } })).to.deep.equal({
      action: 'key limits',
      was: '60 per minute, 500 per day',
      became: '60 per minute, 9 per day',
    });
    expect(await staff.PreviewChange({ rotateKey: { keyId, ...by('x') } })).to.include({ action: 'key rotate' });
    const failures = await Promise.all([
      failureOf(staff.PreviewChange({ revokeKey: { keyId: 'n'.repeat(24), ...by('x') } })),
      failureOf(staff.PreviewChange({ createPublisher: { name: '', organization: 'o', ...by('x') } })),
      failureOf(staff.PreviewChange({ revokeKey: { keyId, ...by('\n'), actor: '\u0007' } })),
      failureOf(staff.PreviewChange({})),
    ]);
    expect(failures.map(({ code }) => code)).to.deep.equal([
      'NOT_FOUND',
      'INVALID_ARGUMENT',
      'INVALID_ARGUMENT',
      'INVALID_ARGUMENT',
    ]);
    expect(await contents()).to.deep.equal(before);
  });

  it('the audit is listed in pages, newest first, by publisher, key, actor and time', async () => {
    const publisherId = await newPublisher();
    const { id: keyId } = await newKey(publisherId);
    for (const minuteLimit of [1, 2, 3]) await staff.SetLimits({ keyId, minuteLimit, actor: 'kim', reason: 'a try' });
    const whole = (await staff.ListAudit({ publisherId })).entries;
    expect(whole).to.have.length(5);
    const paged: unknown[] = [];
    let cursor = '';
    do {
      const page = await staff.ListAudit({ publisherId, pageSize: 2, cursor });
      expect(page.entries.length).to.be.within(1, 2);
      paged.push(...page.entries);
      cursor = page.nextCursor;
    } while (cursor !== '');
    expect(paged).to.deep.equal(whole);
    expect((await staff.ListAudit({ publisherId, actor: 'kim' })).entries).to.deep.equal(whole.slice(0, 3));
    expect((await staff.ListAudit({ keyId })).entries).to.deep.equal(whole.slice(0, 4));
    expect((await staff.ListAudit({ publisherId, since: whole[0]!.at })).entries).to.deep.include(whole[0]);
    expect((await staff.ListAudit({ since: '2100-01-01T00:00:00Z' })).entries).to.deep.equal([]);
    for (const wrong of [{ cursor: 'x' }, { since: 'yesterday' }])
      expect(await failureOf(staff.ListAudit(wrong))).to.include({ code: 'INVALID_ARGUMENT' });
  });
});
