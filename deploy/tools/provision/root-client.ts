/** The storage with its administrator's rights. */
import { openObjectClient } from '@vds/chassis/objects/objects';
import type { S3Server } from './s3-admin.ts';

/** A client with the administrator's rights. */
export function rootClient({ s3 }: { readonly s3: S3Server }): ReturnType<typeof openObjectClient> {
  return openObjectClient({
    s3Endpoint: s3.endpoint,
    s3Region: s3.region,
    s3AccessKey: s3.rootAccessKey,
    s3SecretKey: s3.rootSecretKey,
  });
}
