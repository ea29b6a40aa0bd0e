/** The analyze job: one span of a video's pictures and sound. */
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { getDocument } from '@vds/chassis/objects/documents';
import { ladderDocument } from '@vds/proto/documents/ladder';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import type { NewJob } from '@vds/chassis/stage/define-stage';
import type { Analysis } from '../domain/analysis.ts';
import { readingRung, smallestRung } from '../domain/renditions.ts';
import { spanAt, spanCount, type Span } from '../domain/span.ts';
import { mostReadings, textIntervals } from '../domain/text/text-intervals.ts';
import { missingSpans, saveAnalysis } from '../outbound/analyses.ts';
import { analyzeFrames } from '../outbound/analyze-frames.ts';
import { measureSound } from '../outbound/measure-sound.ts';
import { recognizeText } from '../outbound/recognize-text.ts';
import { fetchPlaylist } from '../outbound/renditions.ts';
import type { Deps, MetadataJob, MetadataStageJob } from './deps.ts';

/** Far beyond any real analysis: it ends processes that hang. */
const TIMEOUT_MS = 900_000;

/** The last job of a revision. */
export const documentJob: NewJob<MetadataJob> = { name: 'document', payload: { kind: 'document' } };

export async function runAnalyze(job: MetadataStageJob<'analyze'>, deps: Deps): Promise<void> {
  const { durationMs } = job.request;
  const { span } = job.payload;
  const analysis = await withScratch(deps.scratchDir, 'metadata', (scratch) =>
    analyze(deps, job, spanAt(durationMs, span), scratch),
  );
  await failpoint('metadata.span-analyzed');
  let left = 0;
  await job.complete(async (client) => {
    await job.stage.lock(client);
    await saveAnalysis(client, job, span, analysis);
    left = (await missingSpans(client, job, durationMs)).length;
    if (left === 0) await job.stage.enqueue(client, [documentJob]);
  });
  await job.stage.progress(95 * (1 - left / spanCount(durationMs)));
}

/** Text is recognized after the pictures were sampled, which locate it; the sound is measured concurrently. */
async function analyze(
  { media, metrics, readingsPerMinute, tools }: Deps,
  job: MetadataStageJob<'analyze'>,
  span: Span,
  scratch: string,
): Promise<Analysis> {
  const deps = { scratch, signal: job.signal, timeoutMs: TIMEOUT_MS, tools, media };
  const ladder = await getDocument(media, job.request.ladderKey, ladderDocument);
  const { audio } = ladder;
  const playlistOf = (rendition: { readonly playlist: string }) => fetchPlaylist(media, job, rendition.playlist);
  const analyzePictures = async () => {
    const { samples, ...found } = await metrics.timed('picture', async () =>
      analyzeFrames(deps, await playlistOf(smallestRung(ladder)), span),
    );
    metrics.pictures('sample', samples.length);
    if (tools.tesseract === undefined) {
      metrics.textSkipped();
      return { ...found, texts: [] };
    }
    const rung = readingRung(ladder);
    const intervals = textIntervals(found.shots, samples, mostReadings(span, readingsPerMinute));
    const { texts, pictures } = await metrics.timed('text', async () =>
      recognizeText(deps, { rung, playlist: await playlistOf(rung) }, intervals, samples, span),
    );
    metrics.pictures('reading', pictures);
    metrics.texts(texts.length);
    return { ...found, texts };
  };
  const analyzeSound = async () =>
    audio === null ? [] : metrics.timed('sound', async () => measureSound(deps, await playlistOf(audio), span));
  const [pictures, seconds] = await Promise.all([analyzePictures(), analyzeSound()]);
  return { version: 1, span, ...pictures, seconds };
}
