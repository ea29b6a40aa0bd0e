/** Signed reads in AWS Signature Version 4, in headers: an address with a signature could be used by who reads a log of it. */
import { createHash, createHmac } from 'node:crypto';
import type { ObjectsConfig } from './objects.ts';

/**
 * Returns a signer of GET requests for objects.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function readSigner({ s3Endpoint, s3Region, s3AccessKey, s3SecretKey }: ObjectsConfig) {
  const { host } = new URL(s3Endpoint);
  let key: { readonly day: string; readonly value: Buffer } = { day: '', value: Buffer.alloc(0) };
  const keyOf = (day: string): Buffer => {
    if (key.day !== day)
      key = {
        day,
        value: [day, s3Region, 's3', 'aws4_request'].reduce<Buffer>(hmac, Buffer.from(`AWS4${s3SecretKey}`)),
      };
    return key.value;
  };
  /** Request line and headers, each with its line end. */
  return (bucket: string, object: string, now = new Date()): string => {
    const path = `/${[bucket, ...object.split('/')].map(encode).join('/')}`;
    const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
    const day = time.slice(0, 8);
    const headers = `host:${host}\nx-amz-content-sha256:UNSIGNED-PAYLOAD\nx-amz-date:${time}\n`;
    const names = 'host;x-amz-content-sha256;x-amz-date';
    const scope = `${day}/${s3Region}/s3/aws4_request`;
    const request = createHash('sha256').update(`GET\n${path}\n\n${headers}\n${names}\nUNSIGNED-PAYLOAD`).digest('hex');
    const signature = hmac(keyOf(day), `AWS4-HMAC-SHA256\n${time}\n${scope}\n${request}`).toString('hex');
    const credential = `Credential=${s3AccessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
    return `GET ${path} HTTP/1.1\r\n${headers.replaceAll('\n', '\r\n')}authorization: AWS4-HMAC-SHA256 ${credential}\r\n`;
  };
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** RFC 3986: everything but unreserved characters. */
function encode(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
