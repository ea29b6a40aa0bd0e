import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openObjectClient, openObjects, type ObjectsConfig } from '@vds/chassis/objects/objects';
import { s3Client, testBucket, testS3User, type TestBucket } from '@vds/testkit/harness/objects';
import { readServers } from '@vds/testkit/servers/servers-file';
import { actions, identityPolicyOf, provisionBuckets, type BucketNames } from '../provision/buckets.ts';

/** Larger than the parts in which the client uploads a file. */
const LARGE_BYTES = 65 * 1024 * 1024;

describe('the policies of buckets', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'bucket-policies-'));
  const large = join(folder, 'large');
  let kit: TestBucket;
  let plain: TestBucket;
  let user: Awaited<ReturnType<typeof testS3User>>;

  before(async () => {
    writeFileSync(large, '');
    truncateSync(large, LARGE_BYTES);
    kit = await testBucket({ versions: true });
    plain = await testBucket();
    user = await testS3User();
  });
  after(async () => {
    await Promise.all([kit.drop(), plain.drop()]);
    await user.remove();
    rmSync(folder, { recursive: true });
  });

  const config = (): ObjectsConfig => ({
    s3Endpoint: kit.endpoint,
    s3Region: kit.region,
    s3AccessKey: user.environment.S3_ACCESS_KEY,
    s3SecretKey: user.environment.S3_SECRET_KEY,
  });
  /** Admits the user to the bucket with only these actions. */
  const admit = async (only: Readonly<Record<'bucket' | 'objects', readonly string[]>>) => {
    for (const { client, bucket } of [kit, plain])
      await client.setBucketPolicy(bucket, policy(only, `arn:aws:s3:::${bucket}`));
  };
  const policy = (only: Readonly<Record<'bucket' | 'objects', readonly string[]>>, resource: string): string => {
    const allow = (Action: readonly string[], Resource: string) =>
      Action.length === 0 ? [] : [{ Effect: 'Allow', Principal: { AWS: [config().s3AccessKey] }, Action, Resource }];
    const Statement = [...allow(only.bucket, resource), ...allow(only.objects, `${resource}/*`)];
    return JSON.stringify({ Version: '2012-10-17', Statement });
  };
  /** What an owner does with its bucket; it removes at the end what it wrote. */
  const ownersWork = async (bucket: string): Promise<void> => {
    const objects = openObjects(config(), bucket);
    const client = openObjectClient(config());
    const begin = (key: string): Promise<string> => client.initiateNewMultipartUpload(bucket, key, {});
    const type = { contentType: 'text/plain' };
    await objects.check();
    await objects.putBytes('work/1/a', 'first', type);
    await objects.putBytes('work/1/a', 'second', type);
    await objects.putFile('work/1/large', large, type);
    const begun = await begin('work/1/large');
    await objects.putFile('work/1/large', large, type); // resumes what it finds
    await client.abortMultipartUpload(bucket, 'work/1/aborted', await begin('work/1/aborted'));
    expect(begun).not.to.equal('');
    await objects.stat('work/1/a');
    expect((await objects.getBytes('work/1/a')).toString()).to.equal('second');
    expect(await objects.list('work/')).to.have.length(2);
    await objects.removePrefix('work/');
    expect(await objects.leftovers('work/')).to.deep.equal([]);
  };
  const outcome = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'allowed',
      (error: Error) => error.message,
    );

  it('the actions of an owner suffice for everything that an owner does with a bucket, with and without versions', async () => {
    await admit(actions.owner);
    for (const { bucket } of [kit, plain]) expect(await outcome(ownersWork(bucket))).to.equal('allowed');
  });
  // S3 asks s3:DeleteObject of every deletion, versitygw only if no version is named, and it names one in every bucket.
  for (const action of [...actions.owner.bucket, ...actions.owner.objects].filter((one) => one !== 's3:DeleteObject'))
    it(`an owner without ${action} cannot do its work, so no action of the table is superfluous`, async () => {
      const without = (all: readonly string[]): string[] => all.filter((one) => one !== action);
      await admit({ bucket: without(actions.owner.bucket), objects: without(actions.owner.objects) });
      expect(await outcome(ownersWork(kit.bucket))).not.to.equal('allowed');
      await admit(actions.owner);
      await openObjects(config(), kit.bucket).removePrefix('work/');
    });
  it('the identity policy of a service allows its own bucket to be written, those it reads to be read, and no other', () => {
    const names: BucketNames = { bucket: (role) => `acme-${role}`, user: (service) => service };
    expect(identityPolicyOf('transcode', names)).to.deep.equal({
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Action: actions.owner.bucket, Resource: 'arn:aws:s3:::acme-media' },
        { Effect: 'Allow', Action: actions.owner.objects, Resource: 'arn:aws:s3:::acme-media/*' },
        { Effect: 'Allow', Action: ['s3:ListBucket'], Resource: 'arn:aws:s3:::acme-sources' },
        { Effect: 'Allow', Action: ['s3:GetObject'], Resource: 'arn:aws:s3:::acme-sources/*' },
      ],
    });
  });

  describe('creating buckets with the rights of a user', () => {
    const names = (bucket: string): BucketNames => ({ bucket: () => bucket, user: (service) => service });
    const asUser = () => ({
      s3: { ...readServers().s3, rootAccessKey: config().s3AccessKey ?? '', rootSecretKey: config().s3SecretKey ?? '' },
    });

    it('an existing bucket is provisioned by a user who may only list it', async () => {
      await admit(actions.reader);
      expect(await outcome(provisionBuckets(asUser(), '', names(kit.bucket)))).to.equal('allowed');
    });
    it('a bucket that its user may neither see nor create is named in one sentence', async () => {
      const bucket = `missing-${process.pid}-${randomBytes(4).toString('hex')}`;
      const said = await outcome(provisionBuckets(asUser(), '', names(bucket)));
      expect(said).to.match(new RegExp(`^[^\\n]*the bucket ${bucket}[^\\n]*$`));
      const { endpoint, region, rootAccessKey, rootSecretKey } = readServers().s3;
      expect(await s3Client(endpoint, region, rootAccessKey, rootSecretKey).bucketExists(bucket)).to.equal(false);
    });
  });
});
