/** The ports of the jobs: renditions, transcripts and rows, and the tools, all timed and counted. */
import type { Embedder } from '@vds/chassis/embeddings/embedder';
import { getDocument } from '@vds/chassis/objects/documents';
import type { Objects } from '@vds/chassis/objects/objects';
import type { Pool } from '@vds/chassis/database/database';
import { messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import { trackDocument } from '@vds/proto/documents/track';
import type { AnalyzePorts } from '../domain/jobs/analyze-span.ts';
import type { DocumentPorts } from '../domain/jobs/make-document.ts';
import type { Description } from '../domain/model.ts';
import { readAnalyses, type AttemptKey } from './analyses.ts';
import { analyzeFrames } from './analyze-frames.ts';
import { measureSound } from './measure-sound.ts';
import type { MetadataMetrics } from './metrics.ts';
import { recognizeText } from './recognize-text.ts';
import { fetchPlaylist } from './renditions.ts';
import { stopWordsOf } from './stop-words.ts';
import type { Tools } from './tools.ts';

/** Far beyond any real analysis: it ends processes that hang. */
const TIMEOUT_MS = 900_000;

type AnalyzeDeps = {
  readonly media: Objects;
  readonly tools: Tools;
  readonly metrics: MetadataMetrics;
  readonly readingsPerMinute: number;
};

type DocumentDeps = {
  readonly pool: Pool;
  readonly captions: Objects;
  readonly describe: (videoId: string) => Promise<Description>;
  readonly embedder: Embedder | undefined;
  readonly metrics: MetadataMetrics;
  readonly log: Logger;
};

/** Texts that are embedded between two reports of progress. */
const BATCH = 8;

/** Ports of `analyzeSpan`; all of them end with the job. */
export function analyzePorts(
  { media, tools, metrics, readingsPerMinute }: AnalyzeDeps,
  job: AttemptKey & { readonly signal: AbortSignal },
  scratch: string,
): AnalyzePorts {
  const deps = { scratch, signal: job.signal, timeoutMs: TIMEOUT_MS, tools, media };
  const playlistOf = ({ playlist }: { readonly playlist: string }) => fetchPlaylist(media, job, playlist);
  if (tools.tesseract === undefined) metrics.textSkipped();
  return {
    readingsPerMinute,
    analyzeFrames: async (rung, span) => {
      const found = await metrics.timed('picture', async () => analyzeFrames(deps, await playlistOf(rung), span));
      metrics.pictures('sample', found.samples.length);
      return found;
    },
    recognizeText:
      tools.tesseract === undefined
        ? undefined
        : async (rung, intervals, samples, span) => {
            const { texts, pictures } = await metrics.timed('text', async () =>
              recognizeText(deps, { rung, playlist: await playlistOf(rung) }, intervals, samples, span),
            );
            metrics.pictures('reading', pictures);
            metrics.texts(texts.length);
            return texts;
          },
    measureSound: (audio, span) =>
      metrics.timed('sound', async () => measureSound(deps, await playlistOf(audio), span)),
  };
}

type DocumentJob = AttemptKey & {
  readonly signal: AbortSignal;
  readonly progress: (percent: number) => void;
};

/** Ports of `makeDocument`. */
export function documentPorts(deps: DocumentDeps, job: DocumentJob): DocumentPorts {
  const { pool, captions, describe, embedder } = deps;
  return {
    embed: async (texts) => (embedder ? embedOrSkip(deps, embedder, texts, job) : undefined),
    analyses: () => readAnalyses(pool, job),
    description: () => describe(job.videoId),
    transcript: (key) => getDocument(captions, key, trackDocument),
    stopWords: stopWordsOf,
  };
}

/** Undefined where the engine fails, also when it is tried again: a document without vectors is found by its words. */
async function embedOrSkip(
  { metrics, log }: DocumentDeps,
  embedder: Embedder,
  texts: readonly string[],
  job: DocumentJob,
) {
  const vectors: Int8Array[] = [];
  try {
    return await metrics.timed('embed', async () => {
      for (let from = 0; from < texts.length; from += BATCH) {
        vectors.push(...(await embedder.embed(texts.slice(from, from + BATCH), 'passage', job.signal)));
        job.progress((100 * vectors.length) / (texts.length + 1));
      }
      return { model: embedder.model, vectors };
    });
  } catch (error) {
    job.signal.throwIfAborted();
    log.warn({ reason: messageOf(error) }, 'document written without vectors');
    metrics.vectorsSkipped();
    return undefined;
  }
}
