/** The end of a house's buckets; apart from their making, which the images have too. */
import { dropBucket } from '@vds/chassis/testing/objects';
import type { Servers } from '@vds/chassis/testing/servers-file';
import { bucketUsers, rootClient } from './buckets.ts';
import { bucketName, userName } from './names.ts';
import { removeS3User } from './s3-admin.ts';
import { bucketRoles } from './services.ts';

/** Removes the house's buckets with all objects, and its users. */
export async function removeBuckets(servers: Servers, house: string): Promise<void> {
  for (const role of bucketRoles) await dropBucket(rootClient(servers), bucketName(house, role));
  for (const service of bucketUsers) await removeS3User(servers.s3, userName(house, service));
}
