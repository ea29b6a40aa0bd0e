/** Object storage over S3 (minio client). Keys are plain ids between slashes; no key is a prefix folder of another. */
import { createWriteStream } from 'node:fs';
import { stat, truncate, writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client, type ClientOptions } from 'minio';
import { httpUrl, text, withDefault, type ConfigOf, type ConfigSpec } from '../config/config.ts';
import { unscaled } from '../config/times.ts';
import { AppError } from '../errors.ts';
import { openLeftFile } from './left-file.ts';
import { loginOf, s3LoginConfig, type S3LoginSettings } from './login.ts';
import { currentSignal, withSignal } from '../process/current-signal.ts';
import { createRemoval, type KeyTest, type UnfinishedUpload } from './removal.ts';
import { storageError } from './storage-error.ts';
import { beginPhase, timed } from '../work/phases.ts';
import { createTransport, withBearer, type Deadlines, type Transport } from './transport.ts';

export const objectsConfig = {
  /** URL of object storage. */
  s3Endpoint: ['S3_ENDPOINT', httpUrl],
  /** Region of the signatures. */
  s3Region: ['S3_REGION', withDefault(text, 'us-east-1')],
  ...s3LoginConfig,
  ...unscaled({
    s3ConnectMs: 5_000,
    /** How long object storage may be silent: until a response begins, and between two bytes in either direction. */
    s3TimeoutMs: 30_000,
  }),
} as const satisfies ConfigSpec;

type Times = 's3ConnectMs' | 's3TimeoutMs';
/** The deadlines, and the settings of a login, have the defaults of `objectsConfig`. */
export type ObjectsConfig = Pick<ConfigOf<typeof objectsConfig>, 's3Endpoint' | 's3Region'> &
  Partial<Pick<ConfigOf<typeof objectsConfig>, Times>> &
  S3LoginSettings;

export type ObjectInfo = {
  readonly size: number;
  readonly etag: string;
  readonly contentType: string | undefined;
  readonly lastModified: Date;
};

/** Bytes `start` to `start + length - 1` of an object, and where in a file they belong. */
export type Place = { readonly key: string; readonly start: number; readonly length: number; readonly at: number };

export type PutOptions = { readonly contentType: string; readonly cacheControl?: string };
export type Objects = ReturnType<typeof openObjects>;

export type CallOptions = {
  /** Limit in milliseconds of one request, up to the last byte of its response; none by default. */
  readonly callMs?: number;
};

/** One bucket; its errors are `AppError`s. Calls end with the work that makes them (`withSignal`). */
export function openObjects(config: ObjectsConfig, bucket: string, options: CallOptions = {}) {
  const client = openObjectClient(config, options);
  return {
    bucket,
    ...writing(client, bucket),
    ...reading(client, bucket),
    ...listing(client, bucket),
    /**
     * A readiness and startup check. Needs s3:ListBucket, which every reader has.
     * @throws AppError when the bucket is missing or unavailable. A list, because its errors have a body with the
     * reason
     */
    check: (): Promise<void> =>
      guard(bucket, async () => void (await Array.fromAsync(client.listObjectsV2(bucket, 'readiness/', true)))),
  };
}

/** The S3 client itself, with deadlines and S3's own error codes; `guard` translates its errors. */
export function openObjectClient(config: ObjectsConfig, options: CallOptions = {}): Client {
  const { hostname, port, protocol } = new URL(config.s3Endpoint);
  const secure = protocol === 'https:';
  return new Client({
    endPoint: hostname,
    port: Number(port || (secure ? 443 : 80)),
    useSSL: secure,
    credentialsProvider: openProvider(config),
    region: config.s3Region,
    pathStyle: true,
    transport: openTransport(config, options),
    // The caller retries, with pauses and a count.
    retryOptions: { disableRetry: true },
  });
}

/** Asked by the client before each request. A bearer travels as the session token, which the transport knows. */
function openProvider(config: ObjectsConfig): NonNullable<ClientOptions['credentialsProvider']> {
  const login = loginOf(config);
  const getCredentials = async () => {
    const found = await login();
    const keys = 'bearer' in found ? { accessKey: '-', secretKey: '-', sessionToken: found.bearer } : found;
    return {
      getAccessKey: () => keys.accessKey,
      getSecretKey: () => keys.secretKey,
      getSessionToken: () => keys.sessionToken,
    };
  };
  // The client calls nothing else, and its own providers lack deadlines and single flight.
  return { getCredentials } as unknown as NonNullable<ClientOptions['credentialsProvider']>;
}

/** The transport of the client's requests, for requests that are only signed by it. */
export function openTransport(config: ObjectsConfig, { callMs }: CallOptions = {}): Transport {
  const { s3ConnectMs: connectMs = 5_000, s3TimeoutMs: silentMs = 30_000 } = config;
  const deadlines: Deadlines = { connectMs, silentMs, callMs };
  const transport = createTransport(new URL(config.s3Endpoint).protocol === 'https:', deadlines);
  return config.s3Auth === 'google' ? withBearer(transport) : transport;
}

function writing(client: Client, bucket: string) {
  return {
    putBytes: (key: string, body: Buffer | string, options: PutOptions): Promise<void> =>
      put(key, async () => void (await client.putObject(bucket, key, body, undefined, metaOf(options)))),
    /** Streams a file; large ones are uploaded in parts. @throws errors of the file as they are */
    putFile: async (key: string, path: string, options: PutOptions): Promise<void> => {
      // Before the stream is opened: until the client reads it, nothing would report a missing file.
      const { handle, size } = await openLeftFile(path);
      await put(key, async () => {
        const body = handle.createReadStream();
        try {
          await client.putObject(bucket, key, body, size, metaOf(options));
        } finally {
          body.destroy(); // the client leaves it open after an error
        }
      });
    },
    putStream: (key: string, body: Readable, size: number, options: PutOptions): Promise<void> =>
      put(key, async () => void (await client.putObject(bucket, key, body, size, metaOf(options)))),
  };
}

function put(key: string, work: () => Promise<void>): Promise<void> {
  return timed('upload', () => guard(key, work));
}

function metaOf(options: PutOptions): Record<string, string> {
  return {
    'Content-Type': options.contentType,
    ...(options.cacheControl !== undefined && { 'Cache-Control': options.cacheControl }),
  };
}

function reading(client: Client, bucket: string) {
  const getStream: GetStream = async (key, range) => {
    const endPhase = beginPhase('fetch');
    try {
      const body = await guard(key, () =>
        range ? client.getPartialObject(bucket, key, range.start, range.length) : client.getObject(bucket, key),
      );
      return body.once('close', endPhase);
    } catch (error) {
      endPhase();
      throw error;
    }
  };
  return {
    /** Bytes `start` to `start + length - 1`, or all of them. */
    getStream,
    ...toFiles(getStream),
    /** @throws AppError INVALID_ARGUMENT for an object of more than `maxBytes` */
    getBytes: (key: string, maxBytes = Infinity): Promise<Buffer> =>
      guard(key, async () => {
        const chunks: Buffer[] = [];
        let size = 0;
        for await (const chunk of await getStream(key)) {
          size += (chunk as Buffer).length;
          if (size > maxBytes) throw new AppError('INVALID_ARGUMENT', `object ${key} has more than ${maxBytes} bytes`);
          chunks.push(chunk as Buffer);
        }
        return Buffer.concat(chunks);
      }),
    stat: (key: string): Promise<ObjectInfo> =>
      guard(key, async () => {
        const info = await client.statObject(bucket, key);
        const meta = info.metaData as Record<string, string>;
        return { size: info.size, etag: info.etag, contentType: meta['content-type'], lastModified: info.lastModified };
      }),
  };
}

type GetStream = (key: string, range?: { readonly start: number; readonly length: number }) => Promise<Readable>;
type OnBytes = (count: number) => void;

function toFiles(getStream: GetStream) {
  const joinToFile = (
    keys: readonly string[],
    path: string,
    signal?: AbortSignal,
    onBytes: OnBytes = () => {},
  ): Promise<number> => {
    const join = async (): Promise<number> => {
      for (const [index, key] of keys.entries())
        await download(key, await getStream(key), { path, flags: index === 0 ? 'w' : 'a', onBytes });
      return (await stat(path)).size;
    };
    return signal ? withSignal(signal, join) : join();
  };
  return {
    /** Streams an object to a file, and calls `onBytes` with every chunk; returns its size in bytes. */
    getToFile: (key: string, path: string, signal?: AbortSignal, onBytes?: OnBytes): Promise<number> =>
      joinToFile([key], path, signal, onBytes),
    /** Streams objects to one file, one after the other; returns its size in bytes. */
    joinToFile,
    /** Streams parts of objects to their places in a new file of `bytes` bytes; what lies between them reads as zeros. */
    placesToFile: (
      places: readonly Place[],
      path: string,
      bytes: number,
      signal: AbortSignal,
      onBytes: OnBytes,
    ): Promise<void> =>
      withSignal(signal, async () => {
        await writeFile(path, '');
        await truncate(path, bytes);
        for (const { key, start, length, at } of places) {
          const part = await getStream(key, { start, length });
          await download(key, part, { path, flags: 'r+', start: at, onBytes });
        }
      }),
  };
}

/** Writes a body to a file; errors of the file are thrown as they are. */
async function download(
  key: string,
  body: Readable,
  {
    path,
    flags,
    onBytes,
    start = 0,
  }: {
    readonly path: string;
    readonly flags: string;
    readonly start?: number;
    readonly onBytes: (count: number) => void;
  },
): Promise<void> {
  body.on('data', (chunk: Buffer) => onBytes(chunk.length));
  try {
    await pipeline(body, createWriteStream(path, flags === 'a' ? { flags } : { flags, start }));
  } catch (error) {
    currentSignal()?.throwIfAborted();
    throw error === body.errored ? storageError(error, key) : error;
  }
}

export type StoredObject = { readonly key: string; readonly bytes: number; readonly storedAt: Date };
type StoredItem = { readonly name: string; readonly size: number; readonly lastModified: Date };

function listing(client: Client, bucket: string) {
  const { leftovers, listUploads, abortUpload, removePrefix } = createRemoval(client, bucket);
  return {
    list: (prefix: string): Promise<string[]> =>
      guard(prefix, () =>
        Array.fromAsync(client.listObjectsV2(bucket, prefix, true), (item: { name: string }) => item.name),
      ),
    /** The same with sizes in bytes and times. */
    listDetails: (prefix: string): Promise<StoredObject[]> =>
      guard(prefix, () =>
        Array.fromAsync(client.listObjectsV2(bucket, prefix, true), (item: StoredItem) => ({
          key: item.name,
          bytes: item.size,
          storedAt: item.lastModified,
        })),
      ),
    /** Names of the folders directly under `prefix`, ascending, from the key `from` on; at most `limit`. */
    listFolders: (prefix: string, from: string, limit: number): Promise<string[]> =>
      guard(prefix, async () => {
        const names: string[] = [];
        for await (const item of client.listObjectsV2(bucket, prefix, false, from)) {
          const { prefix: folder } = item as { prefix?: string };
          if (folder !== undefined) names.push(folder.slice(prefix.length, -1));
          if (names.length >= limit) break;
        }
        return names;
      }),
    /** Whether no object is under `prefix`. */
    isEmpty: (prefix: string): Promise<boolean> =>
      guard(prefix, async () => {
        for await (const _item of client.listObjectsV2(bucket, prefix, true)) return false;
        return true;
      }),
    /** Keys under `prefix` of objects, their versions and delete markers, and unfinished uploads. */
    leftovers: (prefix: string): Promise<string[]> => guard(prefix, () => leftovers(prefix)),
    /** Unfinished uploads under `prefix`. */
    listUploads: (prefix: string): Promise<UnfinishedUpload[]> => guard(prefix, () => listUploads(prefix)),
    abortUpload: (upload: UnfinishedUpload): Promise<void> => guard(upload.key, () => abortUpload(upload)),
    /**
     * Removes what matches under `prefix` (all by default), with all versions, and aborts unfinished uploads.
     * @throws AppError FAILED_PRECONDITION with reason `removal_refused` if the storage keeps an object
     */
    removePrefix: (prefix: string, matches?: KeyTest): Promise<void> =>
      guard(prefix, () => removePrefix(prefix, matches)),
  };
}

/**
 * Runs one call and translates its errors.
 * @param what the key, prefix or bucket of the call
 * @throws the abort reason of the work in progress, else AppError
 */
export async function guard<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    currentSignal()?.throwIfAborted();
    throw storageError(error, what);
  }
}
