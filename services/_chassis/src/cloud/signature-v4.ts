/** AWS Signature Version 4: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html */
import { createHash, createHmac } from 'node:crypto';

export type Keys = {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken?: string | undefined;
};

/** Signs canonical requests to one service of one region; the key of the day is kept. */
export function openSigner(region: string, service: string) {
  let kept: { readonly of: string; readonly key: Buffer } = { of: '', key: Buffer.alloc(0) };
  const keyOf = (day: string, secret: string): Buffer => {
    const of = `${day} ${secret}`;
    if (kept.of !== of) {
      const key = [day, region, service, 'aws4_request'].reduce<Buffer>(hmac, Buffer.from(`AWS4${secret}`));
      kept = { of, key };
    }
    return kept.key;
  };
  return {
    scopeOf: (time: string): string => `${time.slice(0, 8)}/${region}/${service}/aws4_request`,
    /** @param time of `timeOf` */
    sign: (request: string, time: string, secret: string): string => {
      const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
      const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${createHash('sha256').update(request).digest('hex')}`;
      return hmac(keyOf(time.slice(0, 8), secret), text).toString('hex');
    },
  };
}

export function timeOf(now: Date): string {
  return now.toISOString().replace(/[-:]|\.\d+/g, '');
}

/** RFC 3986: everything but unreserved characters. */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
