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

/** A try that is running. */
export type FetchTry = {
  source: Source | undefined;
  parts: StoredPart[];
  /** Whether the parts that it stores add to what an earlier try has stored; one that starts over may repeat them. */
  isProgress: boolean;
  /** Whether it has stored such a part. */
  hasProgressed: boolean;
};
export type FetchedSource = { readonly key: string; readonly parts: readonly StoredPart[]; readonly bytes: number };

/** What the steps of a try share. */
type Run = { readonly ports: FetchPorts; readonly current: FetchTry; readonly source: Source };

/**
 * @returns the key of the manifest, and the parts and size of a source that is complete in the bucket
 * @throws a source fault, or what the bucket and the database throw; stored parts then remain for the next try
 */
export async function fetchSource(ports: FetchPorts, current: FetchTry): Promise<FetchedSource> {
  const { source: known } = current;
  const isComplete = known && gapsOf(known, current.parts).length === 0;
  const source = isComplete ? known : await storeRest(ports, current);
  const parts = current.parts.toSorted((a, b) => a.number - b.number);
  const bytes = bytesOf(parts);
  // That of a known length lies there already; an empty source has no part to precede.
  if (!source.total) await ports.storeManifest(source, bytes);
  return { key: source.key, parts, bytes };
}

/** Reads to the last missing part of the source; a file that has changed is fetched from its beginning. */
async function storeRest(ports: FetchPorts, current: FetchTry): Promise<Source> {
  const from = firstMissing(current);
  const { validator, total } = current.source ?? {};
  const reader = await ports.open({ from, validator, total: from > 0 ? total : undefined });
  try {
    const resumed = from > 0 && reader.offset === from ? current.source : undefined;
    current.isProgress ||= resumed !== undefined;
    const source = resumed ?? (await beginSource(ports, current, reader));
    await storeMissing({ ports, current, source }, reader);
    return source;
  } finally {
    await reader.close();
  }
}

/** The first byte that is not stored. */
function firstMissing({ source, parts }: FetchTry): number {
  return source ? startOf(source, gapsOf(source, parts)[0]?.first ?? 1) : 0;
}

/** Begins a new source for an opened file; what was stored before is discarded. */
async function beginSource(ports: FetchPorts, current: FetchTry, file: SourceReader): Promise<Source> {
  const before = current.source;
  const source = await ports.begin(file);
  current.source = source;
  current.parts = [];
  if (before) await ports.remove(before);
  if (source.total) await ports.storeManifest(source, source.total);
  return source;
}

/** Stores the missing parts: the first one, then the tail where that is possible, then the others in their order. */
async function storeMissing(run: Run, reader: SourceReader): Promise<void> {
  const { source, current } = run;
  let next = gapsOf(source, current.parts)[0]?.first;
  if (next === 1) {
    if (!(await storeNext(run, 1, reader))) return;
    next = 2;
  }
  if (next !== undefined) await storeHead(run, next, reader);
  for (const { first, last } of gapsOf(source, current.parts)) {
    // On the open connection, which is as good as another: a tail of which only one part could be stored.
    await skip(reader, startOf(source, first) - startOf(source, next ?? first));
    for (next = first; next <= last; next += 1) if (!(await storeNext(run, next, reader))) return;
  }
}

async function storeNext({ ports, current, source }: Run, number: number, reader: SourceReader): Promise<boolean> {
  const part = await ports.storePart(source, number, reader);
  if (!part) return false;
  await ports.recordPart(part, current.isProgress);
  current.hasProgressed ||= current.isProgress;
  current.parts.push(part);
  return true;
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
async function storeHead(run: Run, next: number, reader: SourceReader): Promise<void> {
  const tail = tailOf(run.source);
  if (!tail || next >= tail.first) return;
  if (reader.ranges) await storeTail(run, [tail.first, tail.last]);
  await run.ports.recordHead(run.source);
}

/** Stores parts over a second connection. A host that does not serve them costs nothing: they are read in sequence. */
async function storeTail(run: Run, numbers: readonly number[]): Promise<void> {
  const { ports, current, source } = run;
  const missing = numbers.filter((number) => !current.parts.some((part) => part.number === number));
  const [first] = missing;
  if (first === undefined) return;
  try {
    const { validator, total } = source;
    const reader = await ports.openTail({ from: startOf(source, first), validator, total });
    if (!reader) return ports.noteTail('the host does not continue the same file there');
    try {
      for (const number of missing) await storeNext(run, number, reader);
    } finally {
      await reader.close();
    }
  } catch (error) {
    const fault = faultKindOf(error);
    if (fault === undefined || fault === 'total_timeout') throw error;
    ports.noteTail(fault);
  }
}
