/** Objects whose bytes are streamed into the bucket without being buffered; the S3 client reads each into memory first. */
import type { IncomingMessage, RequestOptions } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { urlToHttpOptions } from 'node:url';
import { currentSignal, withSignal } from '../process/current-signal.ts';
import { guard, openTransport, type ObjectsConfig } from './objects.ts';
import { requestSigner, type SignedRequest } from './signature.ts';
import { storageError } from './storage-error.ts';
import { timed } from '../work/phases.ts';
import type { Transport } from './transport.ts';

export type Uploads = ReturnType<typeof openUploads>;

type Upload = {
  /** The exact number of bytes in `body`. */
  readonly length: number;
  readonly body: AsyncIterable<Buffer>;
};

/** Streamed objects of one bucket; their errors are `AppError`s. */
export function openUploads(config: ObjectsConfig, bucket: string) {
  const sign = requestSigner(config);
  const endpoint = urlToHttpOptions(new URL(config.s3Endpoint));
  const transport = openTransport(config);
  return {
    /**
     * Stores an object, whole or not at all.
     * @param signal ends the request
     * @throws what `body` throws, else UNAVAILABLE
     */
    put: (key: string, upload: Upload, signal: AbortSignal): Promise<void> =>
      withSignal(signal, async () => {
        const signed = await guard(key, () => sign('PUT', bucket, key));
        await timed('upload', () => send(transport, { ...endpoint, ...signed }, key, upload));
      }),
  };
}

/** PUTs an object; an error of its body is rethrown unchanged. */
async function send(
  transport: Transport,
  to: Omit<RequestOptions, 'headers'> & SignedRequest,
  key: string,
  { length, body }: Upload,
): Promise<void> {
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
    const options = { ...to, method: 'PUT', headers: { ...to.headers, 'content-length': length } };
    const sent = transport.request(options, resolve).on('error', reject);
    const source = Readable.from(watched(), { objectMode: false, highWaterMark: 256 * 1024 });
    const [response] = await Promise.all([responded, pipeline(source, sent)]);
    await response.toArray();
    // Such as a redirect, which is not followed.
    if (response.headers.etag === undefined) throw new Error('the response to an upload has no ETag');
  } catch (error) {
    if (bodyError !== undefined) throw bodyError;
    currentSignal()?.throwIfAborted();
    throw storageError(error, key);
  }
}
