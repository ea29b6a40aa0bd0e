/** Removal of a stack's buckets; separate from their creation, which the images include. */
import { dropBucket } from '../harness/objects.ts';
import type { Servers } from '../servers/servers-file.ts';
import { bucketUsers } from '@vds/deploy-tools/provision/buckets';
import { rootClient } from '@vds/deploy-tools/provision/root-client';
import { bucketName, userName } from '@vds/deploy-tools/installation';
import { removeS3User } from '@vds/deploy-tools/provision/s3-admin';
import { bucketRoles } from '@vds/deploy-tools/services';

/** Removes the stack's buckets with all objects, and its users. */
export async function removeBuckets(servers: Servers, stack: string): Promise<void> {
  for (const role of bucketRoles) await dropBucket(rootClient(servers), bucketName(stack, role));
  for (const service of bucketUsers) await removeS3User(servers.s3, userName(stack, service));
}
