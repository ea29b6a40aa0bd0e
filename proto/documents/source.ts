/**
 * How a source lies in the sources bucket: a manifest, and beside it parts of one length (the last may be shorter). A
 * part can be read as soon as it is stored. Ingest writes both; transcode reads them.
 */
import { jsonDocument } from './document.ts';
import { integer } from './fields.ts';

export type SourceManifest = {
  /** Of the whole source. */
  readonly bytes: number;
  /** Of every part but the last. */
  readonly partBytes: number;
};

/** Bytes of the source: `from <= at < to`. */
type ByteRange = { readonly from: number; readonly to: number };

/** Bytes `start` to `start + length - 1` of the part with this number, which begin at `at` in the source. */
export type PartRange = {
  readonly number: number;
  readonly start: number;
  readonly length: number;
  readonly at: number;
};

export const manifestName = 'manifest';

export const sourceManifest = jsonDocument<SourceManifest>('manifest of a source', 1_024, {
  type: 'object',
  description: 'an object',
  required: ['bytes', 'partBytes'],
  properties: { bytes: integer(0), partBytes: integer(1) },
});

/** @param number from 1 */
export function partKey(manifestKey: string, number: number): string {
  return `${manifestKey.slice(0, manifestKey.lastIndexOf('/'))}/part-${number}`;
}

/** Where bytes of a source lie, in its order. */
export function partsOf({ bytes, partBytes }: SourceManifest, { from, to }: ByteRange): PartRange[] {
  const ranges: PartRange[] = [];
  for (let at = Math.max(0, from); at < Math.min(to, bytes);) {
    const start = at % partBytes;
    const length = Math.min(partBytes - start, Math.min(to, bytes) - at);
    ranges.push({ number: Math.floor(at / partBytes) + 1, start, length, at });
    at += length;
  }
  return ranges;
}
