/** How requests to object storage prove who sends them: a key of its own, or the identity that the cloud gives the pod. */
import { awsCredentials, misconfigured } from '../cloud/aws-credentials.ts';
import { googleToken } from '../cloud/google-token.ts';
import { cloudConfig, type CloudSettings } from '../cloud/settings.ts';
import type { Keys } from '../cloud/signature-v4.ts';
import { choice, optional, secret, withDefault, type ConfigOf, type ConfigSpec } from '../config/config.ts';

export const s3LoginConfig = {
  /**
   * `keys`: S3_ACCESS_KEY and S3_SECRET_KEY. `aws`: the role of the pod (web identity, container agent, instance).
   * `google`: its access token, for Google Cloud Storage.
   */
  s3Auth: ['S3_AUTH', withDefault(choice('keys', 'aws', 'google'), 'keys' as const)],
  /** Access key. */
  s3AccessKey: ['S3_ACCESS_KEY', optional(secret)],
  /** Secret key. */
  s3SecretKey: ['S3_SECRET_KEY', optional(secret)],
  ...cloudConfig,
} as const satisfies ConfigSpec;

type Login = ConfigOf<typeof s3LoginConfig>;
export type S3LoginSettings = Pick<Login, 's3AccessKey' | 's3SecretKey'> &
  Partial<Pick<Login, 's3Auth'>> &
  CloudSettings;

/** What a request is signed with, or a token that is sent as it is. */
export type S3Login = Keys | { readonly bearer: string };

/**
 * Each call returns the current login.
 * @throws AppError FAILED_PRECONDITION that names what is missing, at once; later UNAVAILABLE where there is no login
 */
export function loginOf(settings: S3LoginSettings): () => Promise<S3Login> {
  const { s3Auth = 'keys', s3AccessKey: accessKey, s3SecretKey: secretKey } = settings;
  if (s3Auth === 'keys') {
    if (accessKey === undefined || secretKey === undefined)
      throw misconfigured(
        `${accessKey === undefined ? 'S3_ACCESS_KEY' : 'S3_SECRET_KEY'} is not set: set it, or S3_AUTH to aws or google for the identity of the pod`,
      );
    return async () => ({ accessKey, secretKey });
  }
  if (accessKey !== undefined || secretKey !== undefined)
    throw misconfigured(`S3_AUTH is ${s3Auth} beside S3_ACCESS_KEY or S3_SECRET_KEY: set one or the other`);
  if (s3Auth === 'aws') return awsCredentials(settings);
  const token = googleToken(settings);
  return async () => ({ bearer: await token() });
}
