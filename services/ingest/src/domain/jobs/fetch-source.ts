/** One try to fetch a source into the bucket: stores the parts that are missing, or starts over. */
import { faultKindOf } from '../source-fault.ts';
import type { Wanted } from '../source-response.ts';
import { bytesOf, gapsOf, startOf, tailOf, type Source, type StoredPart } from '../stored-source.ts';

/** The bytes of an opened source, from `offset` on. */
export type SourceReader = {
  readonly offset: number;
  readonly total: number | undefined;
  readonly validator: string | undefined;
  /** Whether the host serves parts of the file. */
  readonly ranges: boolean;
  /** The next 1 to `max` bytes, or undefined at the end of the file. */
  readonly take: (max: number) => Promise<Buffer | undefined>;
  readonly close: () => Promise<void>;
};

export type FetchPorts = {
  /** Opens the source where it is wanted, or at its beginning. @throws a source fault */
  readonly open: (wanted: Wanted) => Promise<SourceReader>;
  /** Opens it a second time; undefined where the host does not continue the same file there. @throws a source fault */
  readonly openTail: (wanted: Wanted) => Promise<SourceReader | undefined>;
  /** Records a new source in place of what was stored before. */
  readonly begin: (file: Pick<SourceReader, 'validator' | 'total'>) => Promise<Source>;
  readonly storeManifest: (source: Source, bytes: number) => Promise<void>;
  /** Stores the next bytes of the reader as a part, or returns undefined when it is at its end. */
  readonly storePart: (source: Source, number: number, reader: SourceReader) => Promise<StoredPart | undefined>;
  /** @param isProgress whether the faults of earlier tries no longer count */
  readonly recordPart: (part: StoredPart, isProgress: boolean) => Promise<void>;
  /** Publishes that the first part is stored, and the tail if the host allows it. */
  readonly recordHead: (source: Source) => Promise<void>;
  /** Best effort: leftovers are removed with the video at the latest. */
  readonly remove: (source: Source) => Promise<void>;
  /** For the log: the tail could not be read before the middle. */
  readonly noteTail: (reason: string) => void;
};

/** How far a try is. */
export type FetchTry = {
  readonly source: Source | undefined;
  readonly parts: readonly StoredPart[];
  /** Whether the parts that it stores add to what an earlier try has stored; one that starts over may repeat them. */
  readonly isProgress: boolean;
  /** Whether it has stored such a part. */
  readonly hasProgressed: boolean;
};
/** A try that knows its source. */
type Storing = FetchTry & { readonly source: Source };
export type FetchedSource = { readonly key: string; readonly parts: readonly StoredPart[]; readonly bytes: number };

/** What the steps of a try share. */
type Run = {
  readonly ports: FetchPorts;
  /** Called with each new state: a fault ends the try at the last one. */
  readonly note: (current: FetchTry) => void;
};

/**
 * @returns the key of the manifest, and the parts and size of a source that is complete in the bucket
 * @throws a source fault, or what the bucket and the database throw; stored parts then remain for the next try
 */
export async function fetchSource(run: Run, begun: FetchTry): Promise<FetchedSource> {
  const isComplete = isStoring(begun) && gapsOf(begun.source, begun.parts).length === 0;
  const current = isComplete ? begun : await storeRest(run, begun);
  const parts = current.parts.toSorted((a, b) => a.number - b.number);
  const bytes = bytesOf(parts);
  // That of a known length lies there already; an empty source has no part to precede.
  if (!current.source.total) await run.ports.storeManifest(current.source, bytes);
  return { key: current.source.key, parts, bytes };
}

function isStoring(current: FetchTry): current is Storing {
  return current.source !== undefined;
}

/** Reads to the last missing part of the source; a file that has changed is fetched from its beginning. */
async function storeRest(run: Run, begun: FetchTry): Promise<Storing> {
  const from = firstMissing(begun);
  const { validator, total } = begun.source ?? {};
  const reader = await run.ports.open({ from, validator, total: from > 0 ? total : undefined });
  try {
    const resumes = isStoring(begun) && from > 0 && reader.offset === from;
    const current = resumes ? { ...begun, isProgress: true } : await beginSource(run, begun, reader);
    return await storeMissing(run, current, reader);
  } finally {
    await reader.close();
  }
}

/** The first byte that is not stored. */
function firstMissing({ source, parts }: FetchTry): number {
  return source ? startOf(source, gapsOf(source, parts)[0]?.first ?? 1) : 0;
}

/** Begins a new source for an opened file; what was stored before is discarded. */
async function beginSource({ ports, note }: Run, before: FetchTry, file: SourceReader): Promise<Storing> {
  const source = await ports.begin(file);
  const current = { ...before, source, parts: [] };
  note(current);
  if (before.source) await ports.remove(before.source);
  if (source.total) await ports.storeManifest(source, source.total);
  return current;
}

/** Stores the missing parts: the first one, then the tail where that is possible, then the others in their order. */
async function storeMissing(run: Run, begun: Storing, reader: SourceReader): Promise<Storing> {
  const { source } = begun;
  let current = begun;
  let next = gapsOf(source, current.parts)[0]?.first;
  if (next === 1) {
    const stored = await storeNext(run, current, 1, reader);
    if (!stored) return current;
    [current, next] = [stored, 2];
  }
  if (next !== undefined) current = await storeHead(run, current, next, reader);
  for (const { first, last } of gapsOf(source, current.parts)) {
    // On the open connection, which is as good as another: a tail of which only one part could be stored.
    await skip(reader, startOf(source, first) - startOf(source, next ?? first));
    for (next = first; next <= last; next += 1) {
      const stored = await storeNext(run, current, next, reader);
      if (!stored) return current;
      current = stored;
    }
  }
  return current;
}

/** @returns undefined at the end of the file */
async function storeNext(
  { ports, note }: Run,
  current: Storing,
  number: number,
  reader: SourceReader,
): Promise<Storing | undefined> {
  const part = await ports.storePart(current.source, number, reader);
  if (!part) return undefined;
  const { isProgress, hasProgressed } = current;
  await ports.recordPart(part, isProgress);
  const stored = { ...current, parts: [...current.parts, part], hasProgressed: hasProgressed || isProgress };
  note(stored);
  return stored;
}

async function skip(reader: SourceReader, bytes: number): Promise<void> {
  for (let left = bytes; left > 0;) {
    const chunk = await reader.take(left);
    if (!chunk) return;
    left -= chunk.length;
  }
}

/**
 * Publishes that the head is stored, and stores the tail before.
 * @param next the first part that is missing
 */
async function storeHead(run: Run, begun: Storing, next: number, reader: SourceReader): Promise<Storing> {
  const tail = tailOf(begun.source);
  if (!tail || next >= tail.first) return begun;
  const current = reader.ranges ? await storeTail(run, begun, [tail.first, tail.last]) : begun;
  await run.ports.recordHead(current.source);
  return current;
}

/** Stores parts over a second connection. A host that does not serve them costs nothing: they are read in sequence. */
async function storeTail(run: Run, begun: Storing, numbers: readonly number[]): Promise<Storing> {
  const { ports } = run;
  const missing = numbers.filter((number) => !begun.parts.some((part) => part.number === number));
  const [first] = missing;
  if (first === undefined) return begun;
  let current = begun;
  try {
    const { validator, total } = begun.source;
    const reader = await ports.openTail({ from: startOf(begun.source, first), validator, total });
    if (reader)
      try {
        for (const number of missing) current = (await storeNext(run, current, number, reader)) ?? current;
      } finally {
        await reader.close();
      }
    else ports.noteTail('the host does not continue the same file there');
  } catch (error) {
    const fault = faultKindOf(error);
    if (fault === undefined || fault === 'total_timeout') throw error;
    ports.noteTail(fault);
  }
  return current;
}
