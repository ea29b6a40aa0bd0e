import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { openObjects } from '@vds/chassis/objects/objects';
import { testBucket, type TestBucket } from '@vds/testkit/harness/objects';
import { readServers } from '@vds/testkit/servers/servers-file';
import { grantOrganization, grantsOf, revokeOrganization } from '../provision/analytics-grants.ts';
import { policyOf, type BucketNames } from '../provision/buckets.ts';

describe('grants of performance data', function () {
  this.timeout(60_000);
  const prefix = `grants-${randomBytes(3).toString('hex')}`;
  let bucket: TestBucket;
  let names: BucketNames;
  const servers = () => ({ s3: readServers().s3 });
  const grantee = (organizationId: string) => ({ organizationId, prefix, bucket: bucket.bucket });
  before(async () => {
    bucket = await testBucket();
    names = { bucket: () => bucket.bucket, user: (service) => `${prefix}-${service}` };
    for (const organization of ['org_a', 'org_b'])
      await bucket.client.putObject(
        bucket.bucket,
        `organization=${organization}/day=2026-11-26/x.parquet`,
        organization,
      );
  });
  after(async () => {
    for (const organization of ['org_a', 'org_b']) await revokeOrganization(servers(), grantee(organization));
    await bucket.drop();
  });

  /** What the printed credential opens. */
  const connect = (text: string) => {
    const value = (name: string): string => new RegExp(`^${name} +(.+)$`, 'm').exec(text)?.[1] ?? '';
    return openObjects(
      {
        ...{ s3Endpoint: value('endpoint'), s3Region: value('region') },
        ...{ s3AccessKey: value('access key'), s3SecretKey: value('secret') },
      },
      bucket.bucket,
    );
  };
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'allowed',
      (error: { code: string }) => error.code,
    );

  it('a granted organization reads its own files, and neither sees nor changes anything else', async () => {
    const own = connect(await grantOrganization(servers(), grantee('org_a')));
    await grantOrganization(servers(), grantee('org_b'));
    const key = 'organization=org_a/day=2026-11-26/x.parquet';
    expect((await own.getBytes(key)).toString()).to.equal('org_a');
    expect(await own.list('organization=org_a/')).to.deep.equal([key]);
    for (const denied of [
      own.getBytes(key.replace('org_a', 'org_b')),
      own.list('organization=org_b/'),
      own.list(''),
      own.putBytes(key, 'changed', { contentType: 'text/plain' }),
      own.removePrefix('organization=org_a/'),
    ])
      expect(await codeOf(denied)).to.equal('PERMISSION_DENIED');
  });

  it('the policy of the bucket that provisioning sets keeps what was granted', async () => {
    const own = connect(await grantOrganization(servers(), grantee('org_a')));
    const policy = policyOf(prefix, 'analytics', names, await grantsOf(servers(), bucket.bucket)) as {
      Statement: object[];
    };
    // The services' users of this test do not exist.
    const Statement = policy.Statement.filter((one) => 'Sid' in one);
    expect(Statement.length).to.be.at.least(2);
    await bucket.client.setBucketPolicy(bucket.bucket, JSON.stringify({ ...policy, Statement }));
    expect(await codeOf(own.list('organization=org_a/'))).to.equal('allowed');
  });

  it('a revoked organization reads nothing any more, and revoking again is no error', async () => {
    const own = connect(await grantOrganization(servers(), grantee('org_a')));
    await revokeOrganization(servers(), grantee('org_a'));
    expect(await codeOf(own.list('organization=org_a/'))).not.to.equal('allowed');
    await revokeOrganization(servers(), grantee('org_a'));
  });

  it('what is no id of an organization is rejected before anything is changed', async () => {
    for (const id of ['', 'org', 'org_a/../b', 'org_*'])
      expect(await codeOf(grantOrganization(servers(), grantee(id)))).not.to.equal('allowed');
  });
});
