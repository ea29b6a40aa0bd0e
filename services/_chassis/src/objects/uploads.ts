/**
 * S3 multipart uploads whose parts are streamed without being buffered, and that outlive the process that started them.
 */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { urlToHttpOptions } from 'node:url';
import { currentSignal, withSignal } from '../process/current-signal.ts';
import { guard, openObjectClient, openTransport, type ObjectsConfig } from './objects.ts';
import { storageError } from './storage-error.ts';
import type { Transport } from './transport.ts';

type Upload = { readonly key: string; readonly uploadId: string };
type UploadedPart = { readonly number: number; readonly bytes: number; readonly etag: string };
export type Uploads = ReturnType<typeof openUploads>;

type Part = {
  readonly number: number;
  /** The exact number of bytes in `body`. */
  readonly length: number;
  readonly body: AsyncIterable<Buffer>;
};

const PRESIGNED_SECONDS = 900;
/** How long a server may take to assemble an object: some copy all bytes before they respond. */
const COMPLETE_MS = 600_000;

/** Multipart uploads into one bucket; their errors are `AppError`s. */
export function openUploads(config: ObjectsConfig, bucket: string) {
  const client = openObjectClient(config);
  const slowClient = openObjectClient({ ...config, s3TimeoutMs: Math.max(COMPLETE_MS, config.s3TimeoutMs ?? 0) });
  const transport = openTransport(config);

  const abort = ({ key, uploadId }: Upload): Promise<void> =>
    guard(key, () => client.abortMultipartUpload(bucket, key, uploadId));

  return {
    begin: (key: string): Promise<Upload> =>
      guard(key, async () => ({
        key,
        uploadId: await client.initiateNewMultipartUpload(bucket, key, { 'Content-Type': 'application/octet-stream' }),
      })),

    /**
     * @param signal ends the request
     * @returns the part's ETag
     * @throws what `body` throws; NOT_FOUND when the upload is gone, else UNAVAILABLE
     */
    putPart: ({ key, uploadId }: Upload, part: Part, signal: AbortSignal): Promise<string> =>
      withSignal(signal, async () => {
        const query = { uploadId, partNumber: String(part.number) };
        const url = await guard(key, () => client.presignedUrl('PUT', bucket, key, PRESIGNED_SECONDS, query));
        return sendPart(transport, new URL(url), key, part);
      }),

    /** Completes the upload; a second call after a lost response succeeds. */
    complete: async (upload: Upload, parts: readonly UploadedPart[]): Promise<void> => {
      const { key, uploadId } = upload;
      const etags = parts.map(({ number, etag }) => ({ part: number, etag }));
      const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
      try {
        if (bytes > 0) await guard(key, () => slowClient.completeMultipartUpload(bucket, key, uploadId, etags));
        // An upload without parts cannot be completed.
        else await guard(key, () => client.putObject(bucket, key, '')).then(() => abort(upload));
      } catch (error) {
        const isStored = await client.statObject(bucket, key).then(
          ({ size }) => size === bytes,
          () => false, // The first error is always more precise.
        );
        if (!isStored) throw error;
      }
    },

    abort,
  };
}

/** PUTs a part to a presigned address; an error of its body is rethrown unchanged. */
async function sendPart(transport: Transport, url: URL, key: string, { length, body }: Part): Promise<string> {
  let bodyError: Error | undefined;
  const chunks = body[Symbol.asyncIterator]();
  // Not `yield*`: the stream throws the server's errors into its generator.
  const watched = async function* (): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const next = await chunks.next().catch((error: unknown) => {
          bodyError = error instanceof Error ? error : new Error(String(error));
          throw bodyError;
        });
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await chunks.return?.();
    }
  };
  try {
    const { promise: responded, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const options = { ...urlToHttpOptions(url), method: 'PUT', headers: { 'content-length': length } };
    const sent = transport.request(options, resolve).on('error', reject);
    const source = Readable.from(watched(), { objectMode: false, highWaterMark: 256 * 1024 });
    const [response] = await Promise.all([responded, pipeline(source, sent)]);
    await response.toArray();
    const { etag } = response.headers;
    if (etag === undefined) throw new Error('the response to a part has no ETag');
    return etag.replaceAll('"', '');
  } catch (error) {
    if (bodyError !== undefined) throw bodyError;
    currentSignal()?.throwIfAborted();
    throw storageError(error, key);
  }
}
