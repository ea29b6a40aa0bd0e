/** Sources in their bucket: S3 multipart uploads whose parts are streamed through presigned requests. */
import { Readable } from 'node:stream';
import type { Client } from 'minio';
import { Agent, request } from 'undici';
import { AppError, messageOf } from '@vds/chassis/errors';
import { bytesOf, type StoredPart, type Upload } from '../domain/stored-source.ts';

const PRESIGNED_SECONDS = 900;
const RESPONSE_MS = 60_000;
const GONE = new Set(['NoSuchUpload', 'InvalidPart', 'NoSuchKey', 'NotFound']);

export type SourceStore = ReturnType<typeof createSourceStore>;

type Streamed = {
  readonly agent: Agent;
  readonly length: number;
  readonly body: AsyncIterable<Buffer>;
  readonly signal: AbortSignal;
};

/** @param client knows the endpoint and the credentials */
export function createSourceStore(client: Client, bucket: string) {
  const agent = new Agent({ headersTimeout: RESPONSE_MS, bodyTimeout: RESPONSE_MS, allowH2: false });

  const abort = ({ key, uploadId }: Upload): Promise<void> =>
    guard(() => client.abortMultipartUpload(bucket, key, uploadId));

  return {
    begin: async (key: string): Promise<Upload> =>
      guard(async () => ({
        key,
        uploadId: await client.initiateNewMultipartUpload(bucket, key, { 'Content-Type': 'application/octet-stream' }),
      })),

    /**
     * Streams a part without buffering it.
     * @param length the exact number of bytes in `body`
     * @returns the part's ETag
     * @throws what `body` throws; NOT_FOUND when the upload is gone, else UNAVAILABLE
     */
    putPart: async (
      { key, uploadId }: Upload,
      number: number,
      length: number,
      body: AsyncIterable<Buffer>,
      signal: AbortSignal,
    ): Promise<string> => {
      const query = { uploadId, partNumber: String(number) };
      const url = await guard(() => client.presignedUrl('PUT', bucket, key, PRESIGNED_SECONDS, query));
      return streamTo(url, { agent, length, body, signal });
    },

    /** Completes the upload; a second call after a lost response succeeds. */
    complete: async (upload: Upload, parts: readonly StoredPart[]): Promise<void> => {
      const { key, uploadId } = upload;
      const bytes = bytesOf(parts);
      const etags = parts.map(({ number, etag }) => ({ part: number, etag }));
      try {
        if (bytes > 0) await client.completeMultipartUpload(bucket, key, uploadId, etags);
        // An upload without parts cannot be completed.
        else await client.putObject(bucket, key, '').then(() => abort(upload));
      } catch (error) {
        if (!(await isStored(client, bucket, key, bytes))) throw storageError(error);
      }
    },

    abort,
    close: (): Promise<void> => agent.destroy(),
  };
}

async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storageError(error);
  }
}

/** PUTs `body` to a presigned address and returns the ETag; an error of `body` itself is rethrown unchanged. */
async function streamTo(url: string, { agent, length, body, signal }: Streamed): Promise<string> {
  let bodyError: Error | undefined;
  const watched = async function* (): AsyncGenerator<Buffer> {
    try {
      yield* body;
    } catch (error) {
      bodyError = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  };
  const stream = Readable.from(watched(), { objectMode: false, highWaterMark: 256 * 1024 });
  try {
    const headers = { 'content-length': String(length) };
    const response = await request(url, { method: 'PUT', body: stream, headers, signal, dispatcher: agent });
    const text = await response.body.text();
    const etag = response.headers['etag'];
    if (response.statusCode === 404) throw new AppError('NOT_FOUND', 'object storage: the upload is gone');
    if (response.statusCode !== 200 || typeof etag !== 'string')
      throw new AppError('UNAVAILABLE', `object storage: ${response.statusCode} ${text.slice(0, 300)}`);
    return etag.replaceAll('"', '');
  } catch (error) {
    if (bodyError) throw bodyError;
    signal.throwIfAborted();
    throw storageError(error);
  } finally {
    stream.destroy();
  }
}

function isStored(client: Client, bucket: string, key: string, bytes: number): Promise<boolean> {
  return client.statObject(bucket, key).then(
    ({ size }) => size === bytes,
    () => false, // Whatever the reason, the caller's own error is more precise.
  );
}

function storageError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = (error as { code?: string }).code ?? '';
  return new AppError(GONE.has(code) ? 'NOT_FOUND' : 'UNAVAILABLE', `object storage: ${messageOf(error)}`, {
    cause: error,
  });
}
