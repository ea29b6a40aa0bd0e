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
export type Sweep = ReturnType<typeof openSweep>;

export function openSweep(deps: Deps) {
  const { search, sources, documents, concurrency } = deps;
  const step = async (index: string, after: number, write: Write): Promise<Step> => {
    const { videos: listed, settledVersionSeq: settled } = await list(sources, after);
    // 0: no video, or a catalog of an earlier version.
    if (settled > 0 && settled < after) return { seq: 0, seen: 0, written: 0, last: false };
    const missing = await findMissing(deps, index, listed);
    let written = await hide(missing, write);
    await eachOf(missing.filter(isLive), concurrency, async (video) => {
      if (await refresh(deps, video, write)) written += 1;
    });
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
     * One batch of the list from `after` on. If the list ends before that, catalog was restored: the reader starts
     * again.
     */
    step,
    savePosition,
    /** Continues to the end of the list; returns how many videos were written. */
    run: async (index: string, signal: AbortSignal): Promise<number> => {
      let written = 0;
      let after = await readPosition(index);
      while (!signal.aborted) {
        const from = after;
        const done = await step(index, from, documents.write).catch(async (error: unknown) => {
          // The sweep waits for an unreadable video; tombstones behind it do not.
          await writeTombstonesFrom(deps, index, from, signal);
          throw error;
        });
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

/** Runs `work` on every item, `slots` at a time. */
async function eachOf<T>(items: readonly T[], slots: number, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const slot = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: slots }, slot));
}

function isLive({ state }: Listed): boolean {
  return state === 'VIDEO_STATE_READY';
}

/** A document that OpenSearch rejects does not keep the others from being written. */
async function refresh({ sources, log }: Deps, listed: Listed, write: Write): Promise<boolean> {
  const read = await readOrWait(sources, listed);
  try {
    await write([read]);
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INTERNAL') throw error;
    log.error({ reason: messageOf(error), video_id: listed.videoId }, 'video not indexed');
    return false;
  }
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
