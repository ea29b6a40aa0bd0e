/** Reads sources as ingest stores them: as parts, each of which is there before the next one is. */
import { AppError } from '@vds/chassis/errors';
import { folderPrefix } from '@vds/chassis/objects/keys';
import type { Objects } from '@vds/chassis/objects/objects';
import { partKey, partsOf, sourceManifest } from '@vds/proto/documents/source';
import { joinRanges, sizeOf, type ByteRange } from '../domain/source/source-index.ts';

/** Where a source lies, and how many bytes it has. */
export type StoredSource = { readonly sourceKey: string; readonly sourceBytes: number };

/**
 * Copies ranges of a source to the same places of a new file of its size; what lies between them reads as zeros.
 * @throws AppError NOT_FOUND for a part that is not stored, UNAVAILABLE where fewer bytes arrive than it must have
 */
export async function copyRanges(
  sources: Objects,
  source: StoredSource,
  { path, ranges }: { readonly path: string; readonly ranges: readonly ByteRange[] },
  signal: AbortSignal,
  onBytes: (count: number) => void,
): Promise<void> {
  const { sourceKey } = source;
  const manifest = await readManifest(sources, source);
  const places = ranges
    .flatMap((range) => partsOf(manifest, range))
    .map(({ number, ...place }) => ({ ...place, key: partKey(sourceKey, number) }));
  let arrived = 0;
  await sources.placesToFile(places, path, manifest.bytes, signal, (count) => {
    arrived += count;
    onBytes(count);
  });
  const wanted = sizeOf(ranges);
  if (arrived !== wanted) throw new AppError('UNAVAILABLE', `${arrived} of ${wanted} bytes of the source arrived`);
}

/** What is stored of a source that is still being fetched. */
export async function storedRanges(sources: Objects, source: StoredSource): Promise<ByteRange[]> {
  const { bytes, partBytes } = await readManifest(sources, source);
  const keys = new Set(await sources.list(folderPrefix(source.sourceKey)));
  const numbers = Array.from({ length: Math.ceil(bytes / partBytes) }, (_part, index) => index + 1);
  return joinRanges(
    numbers
      .filter((number) => keys.has(partKey(source.sourceKey, number)))
      .map((number) => ({ from: (number - 1) * partBytes, to: Math.min(number * partBytes, bytes) })),
  );
}

async function readManifest(sources: Objects, { sourceKey, sourceBytes }: StoredSource) {
  const manifest = sourceManifest.read(await sources.getBytes(sourceKey, sourceManifest.maxBytes));
  if (manifest.bytes !== sourceBytes)
    throw new AppError('INTERNAL', `the manifest of a source of ${sourceBytes} bytes says ${manifest.bytes}`);
  return manifest;
}
