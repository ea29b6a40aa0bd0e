/** Sources as ingest stores them, as a whole or part by part. */
import { open, stat, truncate, writeFile } from 'node:fs/promises';
import { manifestName, partKey, partsOf, sourceManifest } from '@vds/proto/documents/source';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import type { ByteRange } from '../src/domain/source/source-index.ts';
import { repairSource } from '../src/outbound/repair-source.ts';
import type { Harness } from './harness.ts';

/** What catalog's requests carry. */
export type UploadedVideo = {
  readonly videoId: string;
  readonly attempt: number;
  readonly sourceKey: string;
  readonly sourceBytes: number;
};

/** So short that most clips have several. */
const PART_BYTES = 256 * 1024;

/** Where ingest would put a file. */
export async function sourceOf(path: string, videoId = newVideoId()): Promise<UploadedVideo> {
  const sourceKey = `videos/${videoId}/1/source.1/${manifestName}`;
  return { videoId, attempt: 1, sourceKey, sourceBytes: (await stat(path)).size };
}

export async function storeManifest({ sources }: Harness, { sourceKey, sourceBytes }: UploadedVideo): Promise<void> {
  const text = sourceManifest.write({ bytes: sourceBytes, partBytes: PART_BYTES });
  await sources.client.putObject(sources.bucket, sourceKey, text);
}

export function countParts({ sourceBytes }: UploadedVideo): number {
  return Math.ceil(sourceBytes / PART_BYTES);
}

/** Stores parts of a file, by their numbers from 1. */
export async function storeParts(
  { sources }: Harness,
  { sourceKey, sourceBytes }: UploadedVideo,
  path: string,
  numbers: readonly number[],
): Promise<void> {
  await using file = await open(path);
  for (const number of numbers) {
    const from = (number - 1) * PART_BYTES;
    const [range] = partsOf({ bytes: sourceBytes, partBytes: PART_BYTES }, { from, to: from + PART_BYTES });
    const bytes = Buffer.alloc(range?.length ?? 0);
    await file.read(bytes, 0, bytes.length, from);
    await sources.client.putObject(sources.bucket, partKey(sourceKey, number), bytes);
  }
}

/** Makes a file of the source's size with nothing but these bytes of it. */
export async function keepOnly(whole: string, path: string, ranges: readonly ByteRange[]): Promise<void> {
  await writeFile(path, '');
  await truncate(path, (await stat(whole)).size);
  await using from = await open(whole);
  await using to = await open(path, 'r+');
  for (const range of ranges) {
    const { buffer } = await from.read(Buffer.alloc(range.to - range.from), 0, range.to - range.from, range.from);
    await to.write(buffer, 0, buffer.length, range.from);
  }
  await repairSource(path, ranges);
}

/** Stores a file where ingest would have put it. */
export async function uploadSource(harness: Harness, path: string, videoId?: string): Promise<UploadedVideo> {
  const video = await sourceOf(path, videoId);
  await storeManifest(harness, video);
  await storeParts(
    harness,
    video,
    path,
    Array.from({ length: countParts(video) }, (_part, index) => index + 1),
  );
  return video;
}
