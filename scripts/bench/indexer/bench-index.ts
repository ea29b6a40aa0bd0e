/** The bench's own index, written and queried with the indexer's own modules. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Embedder } from '@vds/chassis/embeddings/embedder';
import { AppError } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { documentOf, type Versioned } from '@vds/indexer/domain/document';
import { openDiscovery } from '@vds/indexer/outbound/discovery';
import { openDocuments } from '@vds/indexer/outbound/documents';
import { openIndexes } from '@vds/indexer/outbound/indexes';
import { openSearch } from '@vds/indexer/outbound/open-search';
import { openWatched } from '@vds/indexer/outbound/watched';

const SENTENCE_MS = 3_000;
/** The fields of a video that has nothing else. */
export type Made = {
  readonly title: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly topics: readonly string[];
  readonly sport: string;
  /** Language of title and summary. */
  readonly language: string;
  /** Sentences by language. */
  readonly spoken: Readonly<Record<string, readonly string[]>>;
  readonly screen: readonly string[];
};
export type BenchIndex = Awaited<ReturnType<typeof openBenchIndex>>;

/** The document that the indexer would build of such a video. */
export function documentFor(
  number: number,
  video: Omit<Made, 'sport'> & { readonly sport: string | undefined },
  publishedAt: Date,
  more: { readonly publisherId?: string; readonly durationMs?: number } = {},
): Versioned {
  const videoId = idOf(number);
  const { title, summary, tags, topics, sport, language, spoken, screen } = video;
  const clip = {
    videoId,
    publisherId: `pub${number % 97}`,
    title,
    summary,
    tags: [...tags],
    ...(sport !== undefined && { sport }),
    languageCode: language,
    durationMs: 60_000,
    playbackId: videoId,
    publishedAt: publishedAt.toISOString(),
    ...more,
  };
  const found = {
    videoId, attempt: 1, revision: 0, scenes: [], shots: [], intervals: [], labels: [], hasTranscript: true, chapters: [],
      keyMoments: [], passages: [], embeddingModel: '',
    topics: topics.map((name) => ({ name, score: 0.5, evidence: [] })),
    screenTexts: screen.map((text, at) => ({ text, startMs: at * SENTENCE_MS, endMs: (at + 1) * SENTENCE_MS, confidence: 0.9 })),
  }; // prettier-ignore
  return {
    version: 1,
    document: documentOf({
      indexable: { videoId, version: 1, live: true, clip, tracks: [] },
      metadata: found,
      transcripts: Object.entries(spoken).map(([tag, sentences]) => ({
        language: tag,
        sentences: sentences.map((text, at) => ({ atMs: at * SENTENCE_MS, text })),
      })),
      now: publishedAt,
    }),
  };
}

/** Ids like catalog's, by number: the same in every run. */
export function idOf(number: number): string {
  return number.toString(32).padStart(26, '0');
}

/**
 * Opens an empty index; `close` removes it.
 * @param embedder of `discovery`; `words` is by words alone
 */
export async function openBenchIndex(url: string, embedder?: Embedder) {
  const prefix = `bench-${process.pid}-${randomBytes(3).toString('hex')}-`;
  const search = openSearch({
    openSearchUrl: url,
    openSearchUser: undefined,
    openSearchPassword: undefined,
    openSearchCaFile: undefined,
    openSearchTimeoutMs: 120_000,
  });
  const indexes = openIndexes(search, prefix, { indexReplicas: 0, indexShards: 1 }, embedder);
  await indexes.ensure();
  const metrics = createMetrics('bench');
  const documents = openDocuments(search, indexes, metrics);
  const config = { rpcToken: 'bench', cursorKeepMs: 60_000, feedHalfLifeMs: 3 * 86_400_000 };
  const log = createLogger('bench', 'error');
  const watched = openWatched({
    ...{ search, videos: indexes.serving, log },
    config: { indexPrefix: prefix, indexReplicas: 0, watchedKeepMs: 7 * 86_400_000 },
  });
  const deps = { search, alias: indexes.serving, watched, config, metrics, log };
  return {
    search,
    prefix,
    indexes,
    documents,
    alias: indexes.serving,
    watched,
    discovery: openDiscovery({ ...deps, embedder }),
    words: openDiscovery({ ...deps, metrics: createMetrics('bench'), embedder: undefined }),
    write: (given: readonly Versioned[]): Promise<void> => patiently(() => documents.write(given)),
    /** Writes documents as they are, by number. */
    load: (given: readonly Loaded[]): Promise<void> => patiently(() => loadInto(search, indexes.serving, given)),
    setRefresh: (interval: string) =>
      search.request({
        method: 'PUT',
        path: `/${indexes.serving}/_settings`,
        body: { index: { refresh_interval: interval } },
      }),
    refresh: () => search.request({ method: 'POST', path: `/${indexes.serving}/_refresh` }),
    close: async (): Promise<void> => {
      for (const { index } of await patiently(indexes.all)) await patiently(() => indexes.drop(index));
      await search.close();
    },
  };
}

type Loaded = { readonly id: string; readonly document: object };

async function loadInto(search: ReturnType<typeof openSearch>, alias: string, given: readonly Loaded[]): Promise<void> {
  const lines = given.flatMap(({ id, document }) => [
    { index: { _id: id, version: 1, version_type: 'external' } },
    document,
  ]);
  type Reply = { readonly items: readonly { readonly index: { readonly status: number; readonly error?: object } }[] };
  const { items } = await search.request<Reply>({ method: 'POST', path: `/${alias}/_bulk`, lines });
  for (const { index } of items)
    if (index.status >= 300 && index.status !== 409)
      // a retry finds what was written before
      throw new AppError(index.status === 429 ? 'UNAVAILABLE' : 'INTERNAL', JSON.stringify(index.error));
}

/** A small heap rejects writes while it is full of garbage (429): retry a little later. */
async function patiently<T>(work: () => Promise<T>, tries = 60): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (tries === 0 || !(error instanceof AppError) || error.code !== 'UNAVAILABLE') throw error;
    await sleep(500);
    return patiently(work, tries - 1);
  }
}
