/** Buckets: only the owner writes one; others read it by bucket policy; nobody else sees it. */
import { dropBucket, s3Client } from '@vds/shared/testing/objects';
import type { Servers } from '@vds/shared/testing/servers-file';
import { ensureS3User, removeS3User } from './s3-admin.ts';
import { bucketName, purposes, userName, type HouseState } from './state.ts';
import { bucketRoles, rowOf, serviceNames, type BucketRole, type ServiceName } from './services.ts';

const usesBuckets = (service: ServiceName): boolean =>
  rowOf(service).ownsBuckets.length > 0 || rowOf(service).readsBuckets.length > 0;

/** The bucket's policy document. */
export const policyOf = (house: string, role: BucketRole): object => {
  const bucket = `arn:aws:s3:::${bucketName(house, role)}`;
  const users = (which: 'ownsBuckets' | 'readsBuckets') =>
    serviceNames.filter((service) => rowOf(service)[which].includes(role)).map((service) => userName(house, service));
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
};

const rootClient = ({ s3 }: Servers) => s3Client(s3.endpoint, s3.region, s3.rootAccessKey, s3.rootSecretKey);

/** Makes the house's S3 users and buckets where they are missing, and sets every policy. */
export const provisionBuckets = async (servers: Servers, state: HouseState): Promise<void> => {
  const client = rootClient(servers);
  for (const service of serviceNames.filter(usesBuckets)) {
    await ensureS3User(servers.s3, userName(state.name, service), state.secret(purposes.s3(service)));
  }
  for (const role of bucketRoles) {
    const bucket = bucketName(state.name, role);
    if (!(await client.bucketExists(bucket))) await client.makeBucket(bucket, servers.s3.region);
    await client.setBucketPolicy(bucket, JSON.stringify(policyOf(state.name, role)));
  }
};

/** Removes the house's buckets with all objects, and its users. */
export const removeBuckets = async (servers: Servers, house: string): Promise<void> => {
  for (const role of bucketRoles) await dropBucket(rootClient(servers), bucketName(house, role));
  for (const service of serviceNames.filter(usesBuckets)) await removeS3User(servers.s3, userName(house, service));
};
