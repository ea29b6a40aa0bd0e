/** Buckets and their policies: only the owner writes, the readers of the table read, all others are denied. */
import { openObjectClient } from '@vds/chassis/objects/objects';
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
};

/** Creates missing S3 users and sets every secret. */
export async function provisionS3Users(
  { s3 }: { readonly s3: S3Server },
  installation: Installation,
  names: BucketNames = namesOf(installation.name),
): Promise<void> {
  for (const service of bucketUsers)
    await ensureS3User(s3, names.user(service), installation.secret(purposes.s3(service)));
}

/** The names of the prefix itself. */
function namesOf(prefix: string): BucketNames {
  return {
    bucket: (role) => bucketName(prefix, role),
    user: (service) => userName(prefix, service),
  };
}

/** Creates missing buckets and sets every policy; the users must exist. */
export async function provisionBuckets(
  servers: { readonly s3: S3Server },
  prefix: string,
  names: BucketNames = namesOf(prefix),
): Promise<void> {
  const client = rootClient(servers);
  for (const role of bucketRoles) {
    const bucket = names.bucket(role);
    if (!(await client.bucketExists(bucket))) await client.makeBucket(bucket, servers.s3.region);
    await client.setBucketPolicy(bucket, JSON.stringify(policyOf(prefix, role, names)));
  }
}

/** A client with the administrator's rights. */
export function rootClient({ s3 }: { readonly s3: S3Server }): ReturnType<typeof openObjectClient> {
  return openObjectClient({
    s3Endpoint: s3.endpoint,
    s3Region: s3.region,
    s3AccessKey: s3.rootAccessKey,
    s3SecretKey: s3.rootSecretKey,
  });
}

/** The bucket's policy document. */
export function policyOf(prefix: string, role: BucketRole, names: BucketNames = namesOf(prefix)): object {
  const bucket = `arn:aws:s3:::${names.bucket(role)}`;
  const users = (which: 'ownsBuckets' | 'readsBuckets') =>
    serviceNames.filter((service) => rowOf(service)[which].includes(role)).map((service) => names.user(service));
  const allow = (AWS: string[], Action: string | string[], Resource: string | string[]) =>
    AWS.length === 0 ? [] : [{ Effect: 'Allow', Principal: { AWS }, Action, Resource }];
  return {
    Version: '2012-10-17',
    Statement: [
      ...allow(users('ownsBuckets'), 's3:*', [bucket, `${bucket}/*`]),
      ...allow(users('readsBuckets'), 's3:ListBucket', bucket),
      ...allow(users('readsBuckets'), 's3:GetObject', `${bucket}/*`),
    ],
  };
}
