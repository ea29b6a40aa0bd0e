/** Stores one part of a source: streamed where its length is known, else through a buffer. */
import { createHash } from 'node:crypto';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import type { Uploads } from '@vds/chassis/objects/uploads';
import { partKey } from '@vds/proto/documents/source';
import type { SourceReader } from '../domain/jobs/fetch-source.ts';
import { startOf, type Source, type StoredPart } from '../domain/stored-source.ts';
import type { PartBuffers } from './part-buffers.ts';

/** Up to `length` bytes of the reader. */
const bytesOf = async function* (reader: SourceReader, length: number): AsyncGenerator<Buffer> {
  let left = length;
  while (left > 0) {
    const chunk = await reader.take(left);
    if (left === length) await failpoint('ingest.part-begun');
    if (!chunk) return;
    left -= chunk.length;
    yield chunk;
  }
};

const hashed = async function* (
  chunks: AsyncIterable<Buffer>,
  onHash: (chunk: Buffer) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    onHash(chunk);
    yield chunk;
  }
};

const once = async function* (bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
};

/**
 * Stores the next part, or returns undefined when the reader is at its end.
 * @throws the reader's faults, UNAVAILABLE for faults of the bucket
 */
export async function storePart(
  { uploads, buffers }: { readonly uploads: Uploads; readonly buffers: PartBuffers },
  source: Source,
  number: number,
  reader: SourceReader,
  { publisherId, signal }: { readonly publisherId: string; readonly signal: AbortSignal },
): Promise<StoredPart | undefined> {
  const { partBytes } = source;
  const put = async (length: number, chunks: AsyncIterable<Buffer>): Promise<StoredPart> => {
    const hash = createHash('sha256');
    const body = hashed(chunks, (chunk) => hash.update(chunk));
    await uploads.put(partKey(source.key, number), { length, body }, signal);
    return { number, bytes: length, sha256: hash.digest() };
  };
  if (reader.total !== undefined) {
    const length = Math.min(partBytes, reader.total - startOf(source, number));
    return length > 0 ? put(length, bytesOf(reader, length)) : undefined;
  }
  return buffers({ tenant: publisherId, bytes: partBytes, signal }, async (buffer) => {
    const length = await fill(buffer, reader);
    return length > 0 ? put(length, once(buffer.subarray(0, length))) : undefined;
  });
}

async function fill(buffer: Buffer, reader: SourceReader): Promise<number> {
  let at = 0;
  for await (const chunk of bytesOf(reader, buffer.length)) at += chunk.copy(buffer, at);
  return at;
}
