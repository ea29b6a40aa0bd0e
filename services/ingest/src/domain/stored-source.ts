/** What is stored of a source: parts of one length, each of them an object. */

/** Fewer are read in their order: the head and the tail would be most of them. */
const MIN_PARTS_FOR_TAIL = 4;

/** A file as its host describes it, and where its parts are stored. */
export type Source = {
  /** Of its manifest. */
  readonly key: string;
  /** Length of every part but the last; a download resumes at a part boundary. */
  readonly partBytes: number;
  readonly validator: string | undefined;
  /** Its length, where the host states it. */
  readonly total: number | undefined;
};
export type StoredPart = {
  /** From 1. */
  readonly number: number;
  readonly bytes: number;
  readonly sha256: Buffer;
};
export type Stored = { readonly source: Source | undefined; readonly parts: readonly StoredPart[] };

/** Parts `first` to `last`; Infinity where the length of the source is unknown. */
export type Gap = { readonly first: number; readonly last: number };

export function bytesOf(parts: readonly Pick<StoredPart, 'bytes'>[]): number {
  return parts.reduce((sum, part) => sum + part.bytes, 0);
}

/** Where in the source a part begins. */
export function startOf({ partBytes }: Pick<Source, 'partBytes'>, number: number): number {
  return (number - 1) * partBytes;
}

/** The parts that are missing, in their order. */
export function gapsOf(source: Source, parts: readonly Pick<StoredPart, 'number' | 'bytes'>[]): Gap[] {
  const last = Math.ceil((lengthOf(source, parts) ?? Infinity) / source.partBytes);
  const gaps: Gap[] = [];
  let next = 1;
  for (const number of [...parts.map((part) => part.number), last + 1].toSorted((a, b) => a - b)) {
    if (number > next) gaps.push({ first: next, last: number - 1 });
    next = number + 1;
  }
  return gaps;
}

/** Where the host states none, parts are stored in their order, and one that is shorter was the last. */
function lengthOf({ total, partBytes }: Source, parts: readonly Pick<StoredPart, 'bytes'>[]): number | undefined {
  return total ?? (parts.some(({ bytes }) => bytes < partBytes) ? bytesOf(parts) : undefined);
}

/**
 * The last two parts, which hold the index of many files: they are worth reading before the middle. Undefined for a
 * source that is too short, or whose host cannot be asked for parts of the same file.
 */
export function tailOf({ total, validator, partBytes }: Source): Gap | undefined {
  if (total === undefined || validator === undefined) return undefined;
  const last = Math.ceil(total / partBytes);
  return last >= MIN_PARTS_FOR_TAIL ? { first: last - 1, last } : undefined;
}
