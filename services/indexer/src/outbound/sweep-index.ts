/**
 * Walks catalog's list of videos by rising number of their latest version and writes what an index lacks. The place
 * that was reached lies in the index itself: an index that is made anew is filled from the first video on.
 */
import { AppError, messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import { tombstone, type Versioned } from '../domain/document.ts';
import type { Documents } from './documents.ts';
import type { OpenSearch } from './open-search.ts';
import { readSourceRecord, type SourceRecord } from './refresh.ts';

const place = 'sweep';
const batchSize = 200;

type Deps = {
  readonly search: OpenSearch;
  readonly truth: SourceRecord;
  readonly documents: Documents;
  /** Videos read at a time. */
  readonly concurrency: number;
  readonly log: Logger;
};
type Listed = Awaited<ReturnType<SourceRecord['catalog']['list']>>[number];
type Write = (given: readonly Versioned[]) => Promise<void>;
export type Step = {
  /** Place in the list that was reached. */
  readonly seq: number;
  readonly seen: number;
  readonly written: number;
  readonly last: boolean;
};
export type Sweep = ReturnType<typeof openSweep>;

export function openSweep(given: Deps) {
  const { search, truth, documents, concurrency } = given;
  const step = async (index: string, after: number, write: Write): Promise<Step> => {
    const listed = await truth.catalog.list(after, batchSize);
    const lacked = await lacking(given, index, listed);
    let written = await hide(lacked, write);
    await eachOf(lacked.filter(isLive), concurrency, async (video) => {
      if (await refresh(given, video, write)) written += 1;
    });
    const seq = listed.at(-1)?.versionSeq ?? after;
    return { seq, seen: listed.length, written, last: listed.length < batchSize };
  };
  const reached = async (index: string): Promise<number> =>
    Number((await documents.read(index, place))?.source['sweep_seq'] ?? 0);
  const remember = async (index: string, seq: number): Promise<void> => {
    const path = `/${index}/_doc/${place}`;
    await search.ask({ method: 'PUT', path, query: { require_alias: true }, body: { sweep_seq: seq } });
  };
  return {
    /** One batch of the list from `after` on. */
    step,
    remember,
    /** Goes on to the end of the list; returns how many videos were written. */
    run: async (index: string, signal: AbortSignal): Promise<number> => {
      let written = 0;
      let after = await reached(index);
      while (!signal.aborted) {
        const from = after;
        const done = await step(index, from, documents.write).catch(async (error: unknown) => {
          // Whoever cannot be read now keeps his place; what is to be seen no more does not wait for him.
          await hideFrom(given, index, from, signal);
          throw error;
        });
        written += done.written;
        if (done.seq !== after) await remember(index, done.seq);
        if (done.last) break;
        after = done.seq;
      }
      return written;
    },
  };
}

/** What `index` lacks or has older. */
async function lacking({ documents }: Deps, index: string, listed: readonly Listed[]): Promise<Listed[]> {
  if (listed.length === 0) return [];
  const ids = listed.map(({ videoId }) => videoId);
  const versions = await documents.versions(index, ids);
  return listed.filter(({ videoId, version }) => (versions.get(videoId) ?? -1) < version);
}

/**
 * Writes a tombstone for what is no longer live, for which the list alone is enough; returns how many. What the index
 * never had gets one too: whoever read an older version, live, and comes late is refused by it, in a new index as well.
 */
async function hide(lacked: readonly Listed[], write: Write): Promise<number> {
  const gone = lacked.filter((video) => !isLive(video));
  const now = new Date();
  if (gone.length > 0)
    await write(gone.map(({ videoId, version }) => ({ version, document: tombstone(videoId, now) })));
  return gone.length;
}

/** `work` on every item, so many at a time. */
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

/** A document that OpenSearch does not take does not keep the others from being written. */
async function refresh({ truth, log }: Deps, listed: Listed, write: Write): Promise<boolean> {
  const read = await readOrWait(truth, listed);
  try {
    await write([read]);
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INTERNAL') throw error;
    log.error({ reason: messageOf(error), video_id: listed.videoId }, 'a video could not be written');
    return false;
  }
}

/** A peer's INTERNAL may be its database away for a moment: a video that cannot be read is waited for, never left out. */
async function readOrWait(truth: SourceRecord, { videoId, version }: Listed): Promise<Versioned> {
  try {
    return await readSourceRecord(truth, videoId, version);
  } catch (cause) {
    throw new AppError('UNAVAILABLE', `video ${videoId} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** Takes out what is no longer live, from a place on to the end of the list. */
async function hideFrom(given: Deps, index: string, from: number, signal: AbortSignal): Promise<void> {
  for (let after = from; !signal.aborted;) {
    const listed = await given.truth.catalog.list(after, batchSize);
    await hide(await lacking(given, index, listed), given.documents.write);
    if (listed.length < batchSize) return;
    after = listed.at(-1)?.versionSeq ?? after;
  }
}
