/** Documents a second of a reindex, whose owners answer as fast as services on a network do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@vds/chassis/telemetry/log';
import { openReindex } from '@vds/indexer/outbound/reindex/reindex';
import { openReindexState } from '@vds/indexer/outbound/reindex/reindex-state';
import { openSweep } from '@vds/indexer/outbound/sweep-index';
import { idOf, type BenchIndex } from './bench-index.ts';
import { manyVideos } from './many-videos.ts';

const VIDEOS = 10_000;
const LATENCY_MS = 2;
/** INDEX_CONCURRENCY's default. */
const CONCURRENCY = 4;

type Sources = Parameters<typeof openSweep>[0]['sources'];

export async function measureReindex(index: BenchIndex, print: (line: string) => void): Promise<void> {
  const { search, indexes, documents } = index;
  const log = createLogger('bench', 'error');
  const sweep = openSweep({ search, sources: sourcesOf(), documents, concurrency: CONCURRENCY, log });
  const store = openReindexState(search, index.prefix, 0);
  const signal = new AbortController().signal;
  const reindex = openReindex({ store, indexes, documents, sweep, leaseMs: 30_000, log, signal });
  const started = performance.now();
  await reindex.start({ actor: 'bench', reason: 'speed', force: true });
  for (let state = 'running'; state === 'running';) {
    await sleep(200);
    const last = await reindex.read();
    state = last?.state ?? '';
    if (state === 'failed') throw new Error(last?.error);
  }
  await reindex.close();
  const seconds = (performance.now() - started) / 1_000;
  print(`reindex: ${Math.round(VIDEOS / seconds)} documents a second (${VIDEOS} in ${seconds.toFixed(1)} s)`);
}

/** catalog, metadata and the bucket of transcripts. */
function sourcesOf(): Sources {
  const videos = manyVideos(5);
  const pool = Array.from({ length: 500 }, () => videos.next());
  const numbers = new Map(Array.from({ length: VIDEOS }, (_empty, at) => [idOf(at), at]));
  const of = (videoId: string) => pool[(numbers.get(videoId) ?? 0) % pool.length] ?? videos.next();
  const answer = async <T>(reply: T): Promise<T> => {
    await sleep(LATENCY_MS);
    return reply;
  };
  const sources = {
    catalog: {
      list: (after: number, limit: number) => {
        const count = Math.max(0, Math.min(limit, VIDEOS - after));
        const listed = Array.from({ length: count }, (_empty, at) => ({
          videoId: idOf(after + at), state: 'VIDEO_STATE_READY', version: 2, attempt: 1, versionSeq: after + at + 1,
        })); // prettier-ignore
        return answer({ videos: listed, settledVersionSeq: VIDEOS });
      },
      getIndexable: (videoId: string) => {
        const { title, summary, tags, sport, language, spoken } = of(videoId);
        const publishedAt = new Date(Date.now() - 1_000_000 * (numbers.get(videoId) ?? 0)).toISOString();
        const clip = {
          videoId, publisherId: 'pub', title, summary, tags: [...tags], sport, languageCode: language,
          durationMs: 60_000, playbackId: videoId, publishedAt,
        }; // prettier-ignore
        const tracks = Object.keys(spoken).map((tag) => ({ language: tag, status: 'ready', textKey: videoId }));
        return answer({ videoId, version: 2, live: true, clip, tracks });
      },
    },
    metadata: {
      get: (videoId: string) =>
        answer({
          videoId,
          topics: of(videoId).topics.map((name) => ({ name, score: 0.5 })),
          labels: [],
          screenTexts: [],
        }),
    },
    transcripts: (tracks: readonly { readonly language: string; readonly textKey: string }[]) =>
      answer(
        tracks.map(({ language, textKey }) => ({
          language,
          sentences: (of(textKey).spoken[language] ?? []).map((text, at) => ({ atMs: at * 3_000, text })),
        })),
      ),
  };
  return sources as unknown as Sources;
}
