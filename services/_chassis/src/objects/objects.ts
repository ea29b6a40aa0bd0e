/** Object storage over S3 (minio client). Keys are plain ids between slashes; no key is also a folder of others. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'minio';
import { secret, text, url, withDefault, type ConfigOf, type ConfigSpec } from '../config/config.ts';
import { AppError, messageOf } from '../errors.ts';

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

const absent = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload']);

export type CallOptions = {
  /** How long one request may take, to the last byte of its answer; without it a server that hangs is waited for. */
  readonly callMs?: number;
  /** How long until an answer begins; reading it may take any time: for what is streamed to whoever reads slowly. */
  readonly answerMs?: number;
};

/** One bucket, with the house's errors. */
export function openObjects(config: ConfigOf<typeof objectsConfig>, bucket: string, options: CallOptions = {}) {
  const client = openObjectClient(config, options);
  return {
    bucket,
    ...writing(client, bucket),
    ...reading(client, bucket),
    ...listing(client, bucket),
    /** For readiness. */
    check: (): Promise<unknown> => guard(bucket, () => client.bucketExists(bucket)),
    /** For the first contact. Needs s3:ListBucket, as every reader has it. */
    mustBe: async (): Promise<void> => {
      if (!(await guard(bucket, () => client.bucketExists(bucket)))) throw new Error(`there is no bucket ${bucket}`);
    },
  };
}

/** The S3 client itself, for the multipart calls of who streams. */
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

/** Ends a request, and the reading of its answer, when its time is over. */
function withDeadline(secure: boolean, { callMs, answerMs }: CallOptions): Pick<typeof http, 'request'> {
  const request = (options: http.RequestOptions, answered?: (answer: http.IncomingMessage) => void) => {
    const signal = callMs === undefined ? {} : { signal: AbortSignal.timeout(callMs) };
    const sent = (secure ? https : http).request({ ...options, ...signal }, answered);
    if (answerMs !== undefined) endUnanswered(sent, answerMs);
    return sent;
  };
  return { request: request as typeof http.request };
}

/** Ends a request whose answer has not begun in time. */
function endUnanswered(sent: http.ClientRequest, answerMs: number): void {
  const late = setTimeout(() => sent.destroy(new Error(`no answer within ${answerMs} ms`)), answerMs);
  sent.once('response', () => clearTimeout(late)).once('close', () => clearTimeout(late));
}

function writing(client: Client, bucket: string) {
  return {
    putBytes: (key: string, body: Buffer | string, options: PutOptions): Promise<void> =>
      guard(key, async () => void (await client.putObject(bucket, key, body, undefined, metaOf(options)))),
    /** Streams a file; large ones go up in parts. */
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
  return {
    /** Bytes `start` to `start + length - 1`, or all of them. */
    getStream,
    /** @throws AppError INVALID_ARGUMENT for an object of more than `most` bytes */
    getBytes: (key: string, most = Infinity): Promise<Buffer> =>
      guard(key, async () => {
        const chunks: Buffer[] = [];
        let size = 0;
        for await (const chunk of await client.getObject(bucket, key)) {
          size += (chunk as Buffer).length;
          if (size > most) throw new AppError('INVALID_ARGUMENT', `object ${key} has more than ${most} bytes`);
          chunks.push(chunk as Buffer);
        }
        return Buffer.concat(chunks);
      }),
    /** Streams an object to a file; returns its length in bytes. */
    getToFile: async (key: string, path: string, signal?: AbortSignal): Promise<number> => {
      await pipeline(await getStream(key), createWriteStream(path), ...(signal ? [{ signal }] : []));
      return (await stat(path)).size;
    },
    stat: (key: string): Promise<ObjectInfo> =>
      guard(key, async () => {
        const info = await client.statObject(bucket, key);
        const meta = info.metaData as Record<string, string>;
        return { size: info.size, etag: info.etag, contentType: meta['content-type'], lastModified: info.lastModified };
      }),
  };
}

function listing(client: Client, bucket: string) {
  const list = async (prefix: string): Promise<string[]> => {
    const keys: string[] = [];
    for await (const item of client.listObjectsV2(bucket, prefix, true)) keys.push((item as { name: string }).name);
    return keys;
  };
  const uploads = async (prefix: string): Promise<string[]> => {
    const keys: string[] = [];
    for await (const item of client.listIncompleteUploads(bucket, prefix, true))
      keys.push((item as { key: string }).key);
    return keys;
  };
  return {
    list: (prefix: string): Promise<string[]> => guard(prefix, () => list(prefix)),
    /** Keys under `prefix` that exist or are being uploaded. */
    leftovers: (prefix: string): Promise<string[]> =>
      guard(prefix, async () => [...(await list(prefix)), ...(await uploads(prefix))]),
    /** Removes every object and aborts every unfinished upload under `prefix` that `which` names (all by default). */
    removePrefix: (prefix: string, which: (key: string) => boolean = () => true): Promise<void> =>
      guard(prefix, async () => {
        for (const key of (await uploads(prefix)).filter(which)) await client.removeIncompleteUpload(bucket, key);
        const keys = (await list(prefix)).filter(which);
        for (let at = 0; at < keys.length; at += 1_000) await client.removeObjects(bucket, keys.slice(at, at + 1_000));
      }),
  };
}

/** Runs one call and translates what it throws. */
async function guard<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof AppError ? error : translate(error, what);
  }
}

/** NOT_FOUND for a missing key, UNAVAILABLE for what may pass. */
function translate(error: unknown, what: string): AppError {
  const code = (error as { code?: string }).code ?? '';
  if (absent.has(code)) return new AppError('NOT_FOUND', `object ${what} does not exist`, { cause: error });
  if (code === 'AccessDenied')
    return new AppError('PERMISSION_DENIED', `no access to object ${what}`, { cause: error });
  return new AppError('UNAVAILABLE', `object storage: ${messageOf(error)} (${what})`, { cause: error });
}
