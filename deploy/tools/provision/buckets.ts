/** Buckets and their policies: only the owner writes, the readers of the table read, all others are denied. */
import { messageOf } from '@vds/chassis/errors';
import type { openObjectClient } from '@vds/chassis/objects/objects';
import { grantsOf } from './analytics-grants.ts';
import { rootClient } from './root-client.ts';
import { ensureS3User, type S3Server } from './s3-admin.ts';
import { bucketName, purposes, userName, type Installation } from '../installation.ts';
import { bucketRoles, rowOf, serviceNames, type BucketRole, type ServiceName } from '../services.ts';

/** Services with an S3 user. */
export const bucketUsers = serviceNames.filter(
  (service) => rowOf(service).ownsBuckets.length > 0 || rowOf(service).readsBuckets.length > 0,
);

/** Names of buckets and users, where an installation cannot have the default ones. */
export type BucketNames = {
  readonly bucket: (role: BucketRole) => string;
  readonly user: (service: ServiceName) => string;
  /** Users that are being replaced: policies name them, too. */
  readonly previousUser?: ((service: ServiceName) => string) | undefined;
};

type Client = ReturnType<typeof openObjectClient>;
type Access = { readonly bucket: readonly string[]; readonly objects: readonly string[] };

/** The actions of S3 behind the calls of services/_chassis/src/objects, on a bucket and on its objects. */
export const actions = {
  owner: {
    bucket: ['s3:ListBucket', 's3:ListBucketVersions', 's3:ListBucketMultipartUploads'],
    objects: [
      's3:GetObject',
      's3:PutObject',
      's3:DeleteObject',
      's3:DeleteObjectVersion',
      's3:AbortMultipartUpload',
      's3:ListMultipartUploadParts',
    ],
  },
  reader: { bucket: ['s3:ListBucket'], objects: ['s3:GetObject'] },
} as const satisfies Record<string, Access>;

/** Creates missing S3 users and sets every secret. */
export async function provisionS3Users(
  { s3 }: { readonly s3: S3Server },
  installation: Installation,
  names: BucketNames = bucketNames(installation.name),
): Promise<void> {
  for (const service of bucketUsers)
    await ensureS3User(s3, names.user(service), installation.secret(purposes.s3(service)));
}

/** The names of the prefix itself. */
export function bucketNames(prefix: string): BucketNames {
  return {
    bucket: (role) => bucketName(prefix, role),
    user: (service) => userName(prefix, service),
  };
}

/**
 * Creates missing buckets.
 * @throws Error with one sentence if the storage neither has the bucket nor lets it be created
 */
export async function provisionBuckets(
  servers: { readonly s3: S3Server },
  prefix: string,
  names: BucketNames = bucketNames(prefix),
): Promise<void> {
  const client = rootClient(servers);
  for (const role of bucketRoles) await ensureBucket(client, names.bucket(role), servers.s3.region);
}

/** Sets the policy of every bucket; the users must exist, and the storage must name them as principals. */
export async function provisionPolicies(
  servers: { readonly s3: S3Server },
  prefix: string,
  names: BucketNames = bucketNames(prefix),
): Promise<void> {
  const client = rootClient(servers);
  for (const role of bucketRoles) {
    const bucket = names.bucket(role);
    // Organizations keep what they were granted.
    const grants = role === 'analytics' ? await grantsOf(servers, bucket) : [];
    await client.setBucketPolicy(bucket, JSON.stringify(policyOf(prefix, role, names, grants)));
  }
}

async function ensureBucket(client: Client, bucket: string, region: string): Promise<void> {
  // Checking a bucket takes a separate right: without it, only the attempt to create it shows.
  const exists = await client.bucketExists(bucket).catch((error: unknown) => {
    if (codeOf(error) === 'AccessDenied') return false;
    throw error;
  });
  if (exists) return;
  try {
    await client.makeBucket(bucket, region);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'BucketAlreadyOwnedByYou') return;
    if (code === 'AccessDenied')
      throw new Error(
        `the storage lets this user neither see nor create the bucket ${bucket}: create it, and allow s3:ListBucket on it`,
        { cause: error },
      );
    if (code === 'BucketAlreadyExists')
      throw new Error(`the bucket ${bucket} belongs to another account: choose another name for it`, { cause: error });
    throw new Error(`bucket ${bucket}: ${messageOf(error)}`, { cause: error });
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code;
}

/** The bucket's policy document, for a storage that names users by their access keys. */
export function policyOf(
  prefix: string,
  role: BucketRole,
  names: BucketNames = bucketNames(prefix),
  grants: readonly object[] = [],
): object {
  const users = (which: 'ownsBuckets' | 'readsBuckets') =>
    serviceNames
      .filter((service) => rowOf(service)[which].includes(role))
      .flatMap((service) => [...new Set([names.user(service), names.previousUser?.(service) ?? names.user(service)])]);
  const allow = (AWS: string[], access: Access) =>
    AWS.length === 0
      ? []
      : allowances(access, names.bucket(role)).map((allowance) => ({ Principal: { AWS }, ...allowance }));
  const own = [...allow(users('ownsBuckets'), actions.owner), ...allow(users('readsBuckets'), actions.reader)];
  return document([...own, ...grants]);
}

/** The IAM policy document of a service's own identity. */
export function identityPolicyOf(service: ServiceName, names: BucketNames): object {
  const { ownsBuckets, readsBuckets } = rowOf(service);
  return document([
    ...ownsBuckets.flatMap((role) => allowances(actions.owner, names.bucket(role))),
    ...readsBuckets.flatMap((role) => allowances(actions.reader, names.bucket(role))),
  ]);
}

function document(Statement: readonly object[]): object {
  return { Version: '2012-10-17', Statement };
}

/** Actions on a bucket and on objects have resources of different shapes. */
function allowances({ bucket, objects }: Access, name: string): object[] {
  const arn = `arn:aws:s3:::${name}`;
  return [
    { Effect: 'Allow', Action: bucket, Resource: arn },
    { Effect: 'Allow', Action: objects, Resource: `${arn}/*` },
  ];
}
