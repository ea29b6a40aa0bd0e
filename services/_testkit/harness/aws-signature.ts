/** AWS Signature Version 4 as a server computes it, from what has arrived: apart from what signs requests in the product. */
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export type Signed = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & {
  /** Names of the signed headers, between semicolons. */
  readonly names: string;
  readonly secret: string;
  readonly region: string;
  readonly service: string;
  /** The digest of the body; of its header by default. */
  readonly digest?: string;
  /** As in `x-amz-date`, which it is by default. */
  readonly time?: string;
};

/** The parts of an `authorization` header; undefined for another one. */
export function authorizationOf(header = '') {
  const pattern = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const [, accessKey, scope, names, signature] = pattern.exec(header) ?? [];
  if (accessKey === undefined || scope === undefined || names === undefined || signature === undefined)
    return undefined;
  return { accessKey, scope, names, signature };
}

/** The signature that a request must have. */
export function expectedSignature(request: Signed): string {
  const { method, url = '/', headers, names, secret, region, service } = request;
  const time = request.time ?? String(headers['x-amz-date']);
  const digest = request.digest ?? String(headers['x-amz-content-sha256']);
  const [path = '', query = ''] = url.split('?');
  // Of S3 alone the path is taken as it is.
  const canonical = service === 's3' ? path : path.split('/').map(encode).join('/');
  const pairs = query
    .split('&')
    .filter(Boolean)
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`));
  const lines = names.split(';').map((name) => `${name}:${String(headers[name])}\n`);
  const text = [method, canonical, pairs.toSorted().join('&'), lines.join(''), names, digest].join('\n');
  const scope = [time.slice(0, 8), region, service, 'aws4_request'];
  const key = scope.reduce<string | Buffer>(
    (by, part) => createHmac('sha256', by).update(part).digest(),
    `AWS4${secret}`,
  );
  const hash = createHash('sha256').update(text).digest('hex');
  return createHmac('sha256', key)
    .update(`AWS4-HMAC-SHA256\n${time}\n${scope.join('/')}\n${hash}`)
    .digest('hex');
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}
