/** Buckets: only the owner writes one; others read it by bucket policy; nobody else sees it. */
import { openObjectClient } from '@vds/chassis/objects/objects';
import { ensureS3User, type S3Server } from './s3-admin.ts';
import { bucketName, purposes, userName, type Household } from '../installation.ts';
import { bucketRoles, rowOf, serviceNames, type BucketRole, type ServiceName } from '../services.ts';

/** Services with an S3 user. */
export const bucketUsers = serviceNames.filter(
  (service) => rowOf(service).ownsBuckets.length > 0 || rowOf(service).readsBuckets.length > 0,
);

/** How buckets and users are called where the house's own names cannot be had. */
export type BucketNames = {
  readonly bucket: (role: BucketRole) => string;
  readonly user: (service: ServiceName) => string;
};

/** Makes the S3 users where they are missing, and gives all of them their secrets. */
export async function provisionS3Users(
  { s3 }: { readonly s3: S3Server },
  household: Household,
  names: BucketNames = namesOf(household.name),
): Promise<void> {
  for (const service of bucketUsers)
    await ensureS3User(s3, names.user(service), household.secret(purposes.s3(service)));
}

/** The names of the house itself. */
function namesOf(house: string): BucketNames {
  return {
    bucket: (role) => bucketName(house, role),
    user: (service) => userName(house, service),
  };
}

/** Makes the buckets where they are missing, and sets every policy; the users must be there. */
export async function provisionBuckets(
  servers: { readonly s3: S3Server },
  house: string,
  names: BucketNames = namesOf(house),
): Promise<void> {
  const client = rootClient(servers);
  for (const role of bucketRoles) {
    const bucket = names.bucket(role);
    if (!(await client.bucketExists(bucket))) await client.makeBucket(bucket, servers.s3.region);
    await client.setBucketPolicy(bucket, JSON.stringify(policyOf(house, role, names)));
  }
}

/** A client with every right on the server. */
export function rootClient({ s3 }: { readonly s3: S3Server }): ReturnType<typeof openObjectClient> {
  return openObjectClient({
    s3Endpoint: s3.endpoint,
    s3Region: s3.region,
    s3AccessKey: s3.rootAccessKey,
    s3SecretKey: s3.rootSecretKey,
  });
}

/** The bucket's policy document. */
export function policyOf(house: string, role: BucketRole, names: BucketNames = namesOf(house)): object {
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
