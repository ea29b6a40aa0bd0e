/**
 * Walks catalog's list of videos by rising number of their latest version and writes what an index lacks. The place
 * that was reached lies in the index itself: an index that is made anew is filled from the first video on.
 */
import { AppError, messageOf } from '@vds/shared/errors';
import type { Logger } from '@vds/shared/log';
import type { Versioned } from '../domain/document.ts';
import type { Documents } from './documents.ts';
import type { OpenSearch } from './open-search.ts';
import { readTruth, type Truth } from './refresh.ts';

const place = 'sweep';
const batchSize = 200;

type Given = {
  readonly search: OpenSearch;
  readonly truth: Truth;
  readonly documents: Documents;
  /** Videos read at a time. */
  readonly concurrency: number;
  readonly log: Logger;
};
type Listed = Awaited<ReturnType<Truth['catalog']['list']>>[number];
type Write = (given: readonly Versioned[]) => Promise<void>;
export type Step = {
  /** Place in the list that was reached. */
  readonly seq: number;
  readonly seen: number;
  readonly written: number;
  readonly last: boolean;
};

/** `work` on every item, so many at a time. */
const eachOf = async <T>(items: readonly T[], slots: number, work: (item: T) => Promise<void>): Promise<void> => {
  const waiting = items.values();
  const slot = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: slots }, slot));
};

/** A video that cannot be read for a reason of its own does not keep the others from being written. */
const refresh = async ({ truth, log }: Given, { videoId, version }: Listed, write: Write): Promise<boolean> => {
  try {
    await write([await readTruth(truth, videoId, version)]);
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INTERNAL') throw error;
    log.error({ reason: messageOf(error), video_id: videoId }, 'a video could not be written');
    return false;
  }
};

/** What `index` lacks or has older; what is not live and not there needs no tombstone. */
const lacking = async ({ documents }: Given, index: string, listed: readonly Listed[]): Promise<Listed[]> => {
  if (listed.length === 0) return [];
  const ids = listed.map(({ videoId }) => videoId);
  const versions = await documents.versions(index, ids);
  return listed.filter(({ videoId, version, state }) => {
    const have = versions.get(videoId);
    return have === undefined ? state === 'VIDEO_STATE_READY' : have < version;
  });
};

export const openSweep = (given: Given) => {
  const { search, truth, documents, concurrency } = given;
  const step = async (index: string, after: number, write: Write): Promise<Step> => {
    const listed = await truth.catalog.list(after, batchSize);
    let written = 0;
    await eachOf(await lacking(given, index, listed), concurrency, async (video) => {
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
        const done = await step(index, after, documents.write);
        written += done.written;
        if (done.seq !== after) await remember(index, done.seq);
        if (done.last) break;
        after = done.seq;
      }
      return written;
    },
  };
};
export type Sweep = ReturnType<typeof openSweep>;
