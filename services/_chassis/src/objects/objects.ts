/** Object storage over S3 (minio client). Keys are plain ids between slashes; no key is a prefix folder of another. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'minio';
import { secret, text, url, withDefault, type ConfigOf, type ConfigSpec } from '../config/config.ts';
import { AppError, messageOf } from '../errors.ts';
import { failpoint } from '../failpoint/failpoint.ts';

export const objectsConfig = {
  s3Endpoint: ['S3_ENDPOINT', url],
  s3Region: ['S3_REGION', withDefault(text, 'us-east-1')],
  s3AccessKey: ['S3_ACCESS_KEY', secret],
  s3SecretKey: ['S3_SECRET_KEY', secret],
} as const satisfies ConfigSpec;

export type ObjectInfo = {
  readonly size: number;
  readonly etag: string;
  readonly contentType: string | undefined;
  readonly lastModified: Date;
};

export type PutOptions = { readonly contentType: string; readonly cacheControl?: string };
export type Objects = ReturnType<typeof openObjects>;

const notFoundCodes = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload']);

export type CallOptions = {
  /** Limit of one request, up to the last byte of its response; none by default. */
  readonly callMs?: number;
  /** Limit until the response begins, for bodies that are streamed to slow readers. */
  readonly answerMs?: number;
};

/** One bucket; its errors are `AppError`s. */
export function openObjects(config: ConfigOf<typeof objectsConfig>, bucket: string, options: CallOptions = {}) {
  const client = openObjectClient(config, options);
  return {
    bucket,
    ...writing(client, bucket),
    ...reading(client, bucket),
    ...listing(client, bucket),
    /** A readiness and startup check. Needs s3:ListBucket, which every reader has. @throws when the bucket is missing */
    check: async (): Promise<void> => {
      if (!(await guard(bucket, () => client.bucketExists(bucket)))) throw new Error(`bucket ${bucket} does not exist`);
    },
  };
}

/** The S3 client itself, for multipart uploads. */
export function openObjectClient(config: ConfigOf<typeof objectsConfig>, deadlines: CallOptions = {}): Client {
  const endpoint = new URL(config.s3Endpoint);
  const secure = endpoint.protocol === 'https:';
  return new Client({
    endPoint: endpoint.hostname,
    port: Number(endpoint.port || (secure ? 443 : 80)),
    useSSL: secure,
    accessKey: config.s3AccessKey,
    secretKey: config.s3SecretKey,
    region: config.s3Region,
    pathStyle: true,
    ...(Object.keys(deadlines).length > 0 && { transport: withDeadline(secure, deadlines) }),
  });
}

/** An HTTP transport that ends requests, and the reading of their responses, at their limits. */
function withDeadline(secure: boolean, { callMs, answerMs }: CallOptions): Pick<typeof http, 'request'> {
  const request = (options: http.RequestOptions, onResponse?: (response: http.IncomingMessage) => void) => {
    const signal = callMs === undefined ? {} : { signal: AbortSignal.timeout(callMs) };
    const sent = (secure ? https : http).request({ ...options, ...signal }, onResponse);
    if (answerMs !== undefined) limitWait(sent, answerMs);
    return sent;
  };
  return { request: request as typeof http.request };
}

/** Ends a request whose response has not begun in time. */
function limitWait(sent: http.ClientRequest, answerMs: number): void {
  const late = setTimeout(() => sent.destroy(new Error(`no response within ${answerMs} ms`)), answerMs);
  sent.once('response', () => clearTimeout(late)).once('close', () => clearTimeout(late));
}

function writing(client: Client, bucket: string) {
  return {
    putBytes: (key: string, body: Buffer | string, options: PutOptions): Promise<void> =>
      guard(key, async () => void (await client.putObject(bucket, key, body, undefined, metaOf(options)))),
    /** Streams a file; large ones are uploaded in parts. */
    putFile: (key: string, path: string, options: PutOptions): Promise<void> =>
      guard(key, async () => void (await client.fPutObject(bucket, key, path, metaOf(options)))),
    putStream: (key: string, body: Readable, size: number, options: PutOptions): Promise<void> =>
      guard(key, async () => void (await client.putObject(bucket, key, body, size, metaOf(options)))),
  };
}

function metaOf(options: PutOptions): Record<string, string> {
  return {
    'Content-Type': options.contentType,
    ...(options.cacheControl !== undefined && { 'Cache-Control': options.cacheControl }),
  };
}

function reading(client: Client, bucket: string) {
  const getStream = (key: string, range?: { readonly start: number; readonly length: number }): Promise<Readable> =>
    guard(key, () =>
      range ? client.getPartialObject(bucket, key, range.start, range.length) : client.getObject(bucket, key),
    );
  const joinToFile = async (keys: readonly string[], path: string, signal?: AbortSignal): Promise<number> => {
    for (const [index, key] of keys.entries()) {
      const file = createWriteStream(path, { flags: index === 0 ? 'w' : 'a' });
      await pipeline(await getStream(key), file, ...(signal ? [{ signal }] : []));
    }
    return (await stat(path)).size;
  };
  return {
    /** Bytes `start` to `start + length - 1`, or all of them. */
    getStream,
    /** @throws AppError INVALID_ARGUMENT for an object of more than `maxBytes` */
    getBytes: (key: string, maxBytes = Infinity): Promise<Buffer> =>
      guard(key, async () => {
        const chunks: Buffer[] = [];
        let size = 0;
        for await (const chunk of await client.getObject(bucket, key)) {
          size += (chunk as Buffer).length;
          if (size > maxBytes) throw new AppError('INVALID_ARGUMENT', `object ${key} has more than ${maxBytes} bytes`);
          chunks.push(chunk as Buffer);
        }
        return Buffer.concat(chunks);
      }),
    /** Streams an object to a file; returns its size in bytes. */
    getToFile: (key: string, path: string, signal?: AbortSignal): Promise<number> => joinToFile([key], path, signal),
    /** Streams objects to one file, one after the other; returns its size in bytes. */
    joinToFile,
    stat: (key: string): Promise<ObjectInfo> =>
      guard(key, async () => {
        const info = await client.statObject(bucket, key);
        const meta = info.metaData as Record<string, string>;
        return { size: info.size, etag: info.etag, contentType: meta['content-type'], lastModified: info.lastModified };
      }),
  };
}

function listing(client: Client, bucket: string) {
  const list = (prefix: string): Promise<string[]> =>
    Array.fromAsync(client.listObjectsV2(bucket, prefix, true), (item: { name: string }) => item.name);
  const uploads = (prefix: string): Promise<string[]> =>
    Array.fromAsync(client.listIncompleteUploads(bucket, prefix, true), (item: { key: string }) => item.key);
  return {
    list: (prefix: string): Promise<string[]> => guard(prefix, () => list(prefix)),
    /** Keys under `prefix` of objects and unfinished uploads. */
    leftovers: (prefix: string): Promise<string[]> =>
      guard(prefix, async () => [...(await list(prefix)), ...(await uploads(prefix))]),
    /** Removes the objects and aborts the unfinished uploads under `prefix` that match (all by default). */
    removePrefix: (prefix: string, matches: (key: string) => boolean = () => true): Promise<void> =>
      guard(prefix, async () => {
        for (const key of (await uploads(prefix)).filter(matches)) await client.removeIncompleteUpload(bucket, key);
        await failpoint('objects.uploads-aborted');
        const keys = (await list(prefix)).filter(matches);
        for (let at = 0; at < keys.length; at += 1_000) {
          await client.removeObjects(bucket, keys.slice(at, at + 1_000));
          await failpoint('objects.batch-removed');
        }
      }),
  };
}

/** Runs one call and translates its errors. */
async function guard<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof AppError ? error : translate(error, what);
  }
}

/** NOT_FOUND for a missing key, UNAVAILABLE for transient errors. */
function translate(error: unknown, what: string): AppError {
  const code = (error as { code?: string }).code ?? '';
  if (notFoundCodes.has(code)) return new AppError('NOT_FOUND', `object ${what} does not exist`, { cause: error });
  if (code === 'AccessDenied')
    return new AppError('PERMISSION_DENIED', `no access to object ${what}`, { cause: error });
  return new AppError('UNAVAILABLE', `object storage: ${messageOf(error)} (${what})`, { cause: error });
}
