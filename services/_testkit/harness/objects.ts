/** Buckets for tests: each caller gets its own empty one on the shared S3 server. */
import { randomBytes } from 'node:crypto';
import { Client } from 'minio';
import { createRemoval } from '@vds/chassis/objects/removal';
import { ensureS3User, removeS3User } from '@vds/deploy-tools/provision/s3-admin';
import { readServers } from '../servers/servers-file.ts';

export type TestBucket = {
  bucket: string;
  /** A client with full access to this server. */
  client: Client;
  /** The values of S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY and S3_SECRET_KEY for a service. */
  endpoint: string;
  region: string;
  accessKey: string;
  secretKey: string;
  /** Removes every object, every unfinished upload and the bucket. */
  drop: () => Promise<void>;
};

type StoredIn = Pick<TestBucket, 'client' | 'bucket'>;

/**
 * Creates a bucket with a unique name.
 * @param versions keeps every version of an object, and lets objects be locked
 */
export async function testBucket({ versions = false } = {}): Promise<TestBucket> {
  const { endpoint, region, rootAccessKey: accessKey, rootSecretKey: secretKey } = readServers().s3;
  const client = s3Client(endpoint, region, accessKey, secretKey);
  const bucket = `test-${process.pid}-${randomBytes(4).toString('hex')}`;
  await client.makeBucket(bucket, region, versions ? { ObjectLocking: true } : {});
  if (versions) await client.setBucketVersioning(bucket, { Status: 'Enabled' });
  return { bucket, client, endpoint, region, accessKey, secretKey, drop: async () => await dropBucket(client, bucket) };
}

/** An S3 client for an endpoint URL; path style, because there is no DNS for bucket names here. */
export function s3Client(endpoint: string, region: string, accessKey: string, secretKey: string): Client {
  const { protocol, hostname, port } = new URL(endpoint);
  const useSSL = protocol === 'https:';
  return new Client({
    endPoint: hostname,
    port: Number(port || (useSSL ? 443 : 80)),
    useSSL,
    region,
    accessKey,
    secretKey,
    pathStyle: true,
  });
}

/** A user whom no bucket admits until `admitTo`. */
export async function testS3User() {
  const { s3 } = readServers();
  const [access, secret] = [`test-${process.pid}-${randomBytes(4).toString('hex')}`, randomBytes(16).toString('hex')];
  await ensureS3User(s3, access, secret);
  return {
    environment: { S3_ACCESS_KEY: access, S3_SECRET_KEY: secret },
    /** Gives the user another secret; the one before is refused from then on. */
    renew: async (): Promise<string> => {
      const next = randomBytes(16).toString('hex');
      await ensureS3User(s3, access, next);
      return next;
    },
    admitTo: async ({ client, bucket }: StoredIn): Promise<void> => {
      const resource = `arn:aws:s3:::${bucket}`;
      const all = {
        Effect: 'Allow',
        Principal: { AWS: [access] },
        Action: 's3:*',
        Resource: [resource, `${resource}/*`],
      };
      await client.setBucketPolicy(bucket, JSON.stringify({ Version: '2012-10-17', Statement: [all] }));
    },
    remove: () => removeS3User(s3, access),
  };
}

/** Keys of the objects under a prefix. */
export async function listKeys({ client, bucket }: StoredIn, prefix = ''): Promise<string[]> {
  const keys: string[] = [];
  for await (const item of client.listObjectsV2(bucket, prefix, true)) keys.push((item as { name: string }).name);
  return keys;
}

/** Keys of the unfinished uploads under a prefix, each once. */
export async function listUploads({ client, bucket }: StoredIn, prefix = ''): Promise<string[]> {
  const keys = new Set<string>();
  for await (const item of client.listIncompleteUploads(bucket, prefix, true)) keys.add((item as { key: string }).key);
  return [...keys];
}

/** `<key> <version>` of every version and delete marker under a prefix. */
export async function listVersions({ client, bucket }: StoredIn, prefix = ''): Promise<string[]> {
  const found: string[] = [];
  for await (const item of client.listObjects(bucket, prefix, true, { IncludeVersion: true })) {
    const { name, versionId } = item as { name: string; versionId?: string };
    found.push(`${name} ${versionId ?? ''}`);
  }
  return found;
}

/** Sets or lifts the legal hold of an object: while it is held, the storage refuses to remove it. */
export async function setLegalHold({ client, bucket }: StoredIn, key: string, status: 'ON' | 'OFF'): Promise<void> {
  // The types of the client say void.
  const done: unknown = client.setObjectLegalHold(bucket, key, { status });
  await (done as Promise<void>);
}

/** The bytes of an object. */
export async function readObject({ client, bucket }: StoredIn, key: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await client.getObject(bucket, key)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Removes the bucket with everything in it; a bucket that does not exist is success. */
export async function dropBucket(client: Client, bucket: string): Promise<void> {
  if (!(await client.bucketExists(bucket))) return;
  await createRemoval(client, bucket).removePrefix('');
  await client.removeBucket(bucket);
}
