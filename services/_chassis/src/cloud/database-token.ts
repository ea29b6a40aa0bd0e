/** What PostgreSQL on RDS accepts as the password of a role with `rds_iam`, for 15 minutes after it was made. */
import { createHash } from 'node:crypto';
import { encode, openSigner, timeOf, type Keys } from './signature-v4.ts';

export type DatabaseUser = { readonly host: string; readonly port: number; readonly user: string };

const VALID_SECONDS = 900;
const nothing = createHash('sha256').update('').digest('hex');

/**
 * A presigned request without its scheme.
 * https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/UsingWithRDS.IAMDBAuth.html
 */
export function databaseToken(
  { host, port, user }: DatabaseUser,
  region: string,
  keys: Keys,
  now = new Date(),
): string {
  const { scopeOf, sign } = openSigner(region, 'rds-db');
  const time = timeOf(now);
  const query = Object.entries({
    Action: 'connect',
    DBUser: user,
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${keys.accessKey}/${scopeOf(time)}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(VALID_SECONDS),
    ...(keys.sessionToken !== undefined && { 'X-Amz-Security-Token': keys.sessionToken }),
    'X-Amz-SignedHeaders': 'host',
  })
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join('&');
  const signature = sign(`GET\n/\n${query}\nhost:${host}:${port}\n\nhost\n${nothing}`, time, keys.secretKey);
  return `${host}:${port}/?${query}&X-Amz-Signature=${signature}`;
}
