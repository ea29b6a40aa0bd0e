/** Whether the samples that an mp4's index lists lie in the file (ISO/IEC 14496-12 §8.7). */
import type { ReadRequest, Walk } from './walk.ts';

const tableTypes = ['stco', 'co64', 'stsc', 'stsz'] as const;
type TableType = (typeof tableTypes)[number];

/** Where the tables of one track lie: their contents, without the headers of their boxes. */
export type SampleTables = { [type in TableType]?: ReadRequest };

/** Sixteen million samples. */
const MAX_TABLE = 64 * 1024 * 1024;

export function isTable(type: string): type is TableType {
  return tableTypes.some((table) => table === type);
}

/** Where the listed samples lie; `outside` the file also where a table is missing or too short. */
export function* findSamples(
  tracks: readonly SampleTables[],
  fileBytes: number,
): Walk<'inside' | 'outside' | 'none listed'> {
  let listed = false;
  for (const { stco, co64 = stco, stsc, stsz } of tracks) {
    if (!co64) continue;
    if (!stsc || !stsz) return 'outside';
    if ([co64, stsc, stsz].some(({ length }) => length > MAX_TABLE)) return 'outside';
    const offsets: Buffer = yield co64;
    const runs: Buffer = yield stsc;
    const sizes: Buffer = yield stsz;
    const table = offsetsOf(offsets, co64 !== stco);
    if (!chunksLieInside(table, runs, sizes, fileBytes)) return 'outside';
    listed ||= table.chunks > 0;
  }
  return listed ? 'inside' : 'none listed';
}

/** Not a number beyond the table; every comparison with it is false. */
function uint32(table: Buffer, at: number): number {
  return at + 4 <= table.length ? table.readUInt32BE(at) : Number.NaN;
}

function offsetsOf(table: Buffer, wide: boolean) {
  const offsetOf = (chunk: number): number =>
    wide ? uint32(table, 8 + 8 * chunk) * 2 ** 32 + uint32(table, 12 + 8 * chunk) : uint32(table, 8 + 4 * chunk);
  return { chunks: uint32(table, 4), offsetOf };
}

function chunksLieInside(
  { chunks, offsetOf }: ReturnType<typeof offsetsOf>,
  runs: Buffer,
  sizes: Buffer,
  fileBytes: number,
): boolean {
  const samples = uint32(sizes, 8);
  if (Number.isNaN(chunks) || Number.isNaN(samples)) return false;
  let run = 0;
  let sample = 0;
  for (let chunk = 0; chunk < chunks; chunk++) {
    while (uint32(runs, 8 + 12 * (run + 1)) <= chunk + 1) run++;
    const next = Math.min(samples, sample + uint32(runs, 12 + 12 * run));
    const end = offsetOf(chunk) + bytesOf(sizes, sample, next);
    if (Number.isNaN(next) || !(end <= fileBytes)) return false;
    sample = next;
  }
  return true;
}

/** Bytes of the samples from one number up to another. */
function bytesOf(sizes: Buffer, from: number, to: number): number {
  const fixed = uint32(sizes, 4);
  if (fixed !== 0) return fixed * (to - from);
  let sum = 0;
  for (let sample = from; sample < to && !Number.isNaN(sum); sample++) sum += uint32(sizes, 12 + 4 * sample);
  return sum;
}
