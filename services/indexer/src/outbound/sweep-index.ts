/**
 * Walks catalog's list of videos in ascending order of their latest version and writes what an index is missing. The
 * position is stored in the index itself: a recreated index is filled from the first video on.
 */
import { AppError, messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import { tombstone, type Versioned } from '../domain/document.ts';
import type { Documents } from './documents.ts';
import type { OpenSearch } from './open-search.ts';
import { readDocument, type Sources } from './write-video.ts';

const positionId = 'sweep';
const BATCH_SIZE = 200;
/** Documents read before they are written: a long one has 400,000 characters a language. */
const WRITE_SIZE = 25;

type Deps = {
  readonly search: OpenSearch;
  readonly sources: Sources;
  readonly documents: Documents;
  /** Videos read at a time. */
  readonly concurrency: number;
  readonly log: Logger;
};
type Listed = Awaited<ReturnType<Sources['catalog']['list']>>['videos'][number];
type Write = (videos: readonly Versioned[]) => Promise<void>;
export type Step = {
  /** Position in the list. */
  readonly seq: number;
  readonly seen: number;
  readonly written: number;
  readonly last: boolean;
};
/** A part of catalog's list: from after one position up to another one. */
export type Range = { readonly after: number; readonly to: number };
export type Sweep = ReturnType<typeof openSweep>;

export function openSweep(deps: Deps) {
  const { search, sources, documents } = deps;
  const step = async (index: string, { after, to }: Range, write: Write): Promise<Step> => {
    const { videos, settledVersionSeq: settled } = await list(sources, after);
    const listed = videos.filter(({ versionSeq }) => versionSeq <= to);
    // 0: no video, or a catalog of an earlier version.
    if (settled > 0 && settled < after) return { seq: 0, seen: 0, written: 0, last: false };
    const missing = await findMissing(deps, index, listed);
    let written = await hide(missing, write);
    const live = missing.filter(isLive);
    const parts = Array.from({ length: Math.ceil(live.length / WRITE_SIZE) }, (_none, nth) =>
      live.slice(nth * WRITE_SIZE, (nth + 1) * WRITE_SIZE),
    );
    for (const part of parts) written += await refresh(deps, part, write);
    const seq = listed.at(-1)?.versionSeq ?? after;
    return { seq, seen: listed.length, written, last: listed.length < BATCH_SIZE };
  };
  const readPosition = async (index: string): Promise<number> =>
    Number((await documents.read(index, positionId))?.source['sweep_seq'] ?? 0);
  const savePosition = async (index: string, seq: number): Promise<void> => {
    const path = `/${index}/_doc/${positionId}`;
    await search.request({ method: 'PUT', path, query: { require_alias: true }, body: { sweep_seq: seq } });
  };
  return {
    /**
     * One batch of a range of the list. If the list ends before that, catalog was restored: the reader starts again.
     */
    step,
    savePosition,
    /** The list in parts of the same length, the last one without an end. */
    ranges: async (count: number): Promise<readonly Range[]> => {
      const end = (await list(sources, 0)).settledVersionSeq;
      const at = (nth: number): number => Math.floor((nth * end) / count);
      return Array.from({ length: count }, (_none, nth) => ({
        after: at(nth),
        to: nth === count - 1 ? Number.MAX_SAFE_INTEGER : at(nth + 1),
      }));
    },
    /** Continues to the end of the list; returns how many videos were written. */
    run: async (index: string, signal: AbortSignal): Promise<number> => {
      let written = 0;
      let after = await readPosition(index);
      while (!signal.aborted) {
        const from = after;
        const done = await step(index, { after, to: Number.MAX_SAFE_INTEGER }, documents.write).catch(
          async (error: unknown) => {
            // The sweep waits for an unreadable video; tombstones behind it do not.
            await writeTombstonesFrom(deps, index, from, signal);
            throw error;
          },
        );
        written += done.written;
        if (done.seq !== after) await savePosition(index, done.seq);
        if (done.last) break;
        after = done.seq;
      }
      return written;
    },
  };
}

/** Entries that `index` is missing or has in an older version. */
async function findMissing({ documents }: Deps, index: string, listed: readonly Listed[]): Promise<Listed[]> {
  if (listed.length === 0) return [];
  const ids = listed.map(({ videoId }) => videoId);
  const versions = await documents.versions(index, ids);
  return listed.filter(({ videoId, version }) => (versions.get(videoId) ?? -1) < version);
}

/**
 * Writes tombstones for videos that are not live, for which the list suffices; returns how many. Videos that the index
 * never had get one too: it rejects a late write of an older, live version, in a new index as well.
 */
async function hide(missing: readonly Listed[], write: Write): Promise<number> {
  const gone = missing.filter((video) => !isLive(video));
  const now = new Date();
  if (gone.length > 0)
    await write(gone.map(({ videoId, version }) => ({ version, document: tombstone(videoId, now) })));
  return gone.length;
}

/** Results of `work` on every item, `slots` at a time. */
async function eachOf<T, R>(items: readonly T[], slots: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const waiting = items.values();
  const results: R[] = [];
  const slot = async (): Promise<void> => {
    for (const item of waiting) results.push(await work(item));
  };
  await Promise.all(Array.from({ length: slots }, slot));
  return results;
}

function isLive({ state }: Listed): boolean {
  return state === 'VIDEO_STATE_READY';
}

/** Reads videos and writes them together; returns how many. A document that OpenSearch rejects does not keep the others from being written. */
async function refresh({ sources, concurrency, log }: Deps, part: readonly Listed[], write: Write): Promise<number> {
  const read = await eachOf(part, concurrency, (listed) => readOrWait(sources, listed));
  const isWritten = async (documents: readonly Versioned[]): Promise<boolean> => {
    try {
      await write(documents);
      return true;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'INTERNAL') throw error;
      const [{ document }, ...more] = documents as [Versioned, ...Versioned[]];
      if (more.length === 0) log.error({ reason: messageOf(error), video_id: document.video_id }, 'video not indexed');
      return false;
    }
  };
  if (await isWritten(read)) return read.length;
  const each = await eachOf(read, 1, (one) => isWritten([one]));
  return each.filter(Boolean).length;
}

function list({ catalog }: Sources, after: number): ReturnType<Sources['catalog']['list']> {
  return orUnavailable('the list of videos', catalog.list(after, BATCH_SIZE));
}

/** An unreadable video is retried, never left out. */
function readOrWait(sources: Sources, { videoId, version }: Listed): Promise<Versioned> {
  return orUnavailable(`video ${videoId}`, readDocument(sources, videoId, version));
}

/** Any error of another service may be transient: INTERNAL is also a short outage of its database. */
async function orUnavailable<T>(what: string, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (cause) {
    throw new AppError('UNAVAILABLE', `${what} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** Writes tombstones from a position to the end of the list. */
async function writeTombstonesFrom(deps: Deps, index: string, from: number, signal: AbortSignal): Promise<void> {
  for (let after = from; !signal.aborted;) {
    const { videos: listed } = await list(deps.sources, after);
    await hide(await findMissing(deps, index, listed), deps.documents.write);
    if (listed.length < BATCH_SIZE) return;
    after = listed.at(-1)?.versionSeq ?? after;
  }
}
