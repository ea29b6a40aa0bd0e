/** Requests for objects that are signed in headers: an address with a signature could be used by who reads a log of it. */
import { encode, openSigner, timeOf } from '../cloud/signature-v4.ts';
import { loginOf } from './login.ts';
import type { ObjectsConfig } from './objects.ts';

export type SignedRequest = { readonly path: string; readonly headers: Readonly<Record<string, string>> };

/**
 * Returns a signer of requests for objects.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function requestSigner(config: ObjectsConfig) {
  const { host } = new URL(config.s3Endpoint);
  const login = loginOf(config);
  const { scopeOf, sign } = openSigner(config.s3Region, 's3');
  /** @throws AppError UNAVAILABLE where there is nothing to sign with */
  return async (method: 'GET' | 'PUT', bucket: string, object: string, now?: Date): Promise<SignedRequest> => {
    const path = `/${[bucket, ...object.split('/')].map(encode).join('/')}`;
    const keys = await login();
    if ('bearer' in keys) return { path, headers: { host, authorization: `Bearer ${keys.bearer}` } };
    const time = timeOf(now ?? new Date());
    const headers = {
      host,
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
      'x-amz-date': time,
      ...(keys.sessionToken !== undefined && { 'x-amz-security-token': keys.sessionToken }),
    };
    const names = Object.keys(headers).join(';');
    const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
    const signature = sign(`${method}\n${path}\n\n${lines.join('')}\n${names}\nUNSIGNED-PAYLOAD`, time, keys.secretKey);
    const credential = `Credential=${keys.accessKey}/${scopeOf(time)}, SignedHeaders=${names}, Signature=${signature}`;
    return { path, headers: { ...headers, authorization: `AWS4-HMAC-SHA256 ${credential}` } };
  };
}
