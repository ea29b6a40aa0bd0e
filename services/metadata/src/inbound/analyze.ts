/** The analyze job: one span of a video's pictures and sound. */
import { getDocument } from '@vds/chassis/objects/documents';
import { ladderDocument } from '@vds/proto/documents/ladder';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import type { NewJob } from '@vds/chassis/stage/define-stage';
import type { Analysis } from '../domain/analysis.ts';
import { readingRung, smallestRung } from '../domain/renditions.ts';
import { spanAt, spanCount, type Span } from '../domain/span.ts';
import { textIntervals, readingsFor } from '../domain/text/text-intervals.ts';
import { missingSpans, saveAnalysis } from '../outbound/analyses.ts';
import { analyzeFrames, type Deps as AnalysisDeps } from '../outbound/analyze-frames.ts';
import { listen } from '../outbound/listen.ts';
import { readText } from '../outbound/read-text.ts';
import { fetchPlaylist } from '../outbound/renditions.ts';
import type { Deps, MetadataJob, MetadataStageJob } from './deps.ts';

/** Far beyond any real analysis: it ends processes that hang; the stage's deadline is catalog's. */
const timeoutMs = 900_000;

/** The last job of a revision. */
export const documentJob: NewJob<MetadataJob> = { name: 'document', payload: { kind: 'document' } };

export async function runAnalyze(job: MetadataStageJob<'analyze'>, deps: Deps): Promise<void> {
  const { scratchDir, tools, media } = deps;
  const { durationMs } = job.request;
  const { span } = job.payload;
  const analysis = await withScratch(scratchDir, 'metadata', (scratch) =>
    analyze(deps, { scratch, signal: job.signal, timeoutMs, tools, media }, job, spanAt(durationMs, span)),
  );
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
  deps: Deps,
  tools: AnalysisDeps,
  job: MetadataStageJob<'analyze'>,
  span: Span,
): Promise<Analysis> {
  const { media, metrics, readingsPerMinute } = deps;
  const ladder = await getDocument(media, job.request.ladderKey, ladderDocument);
  const listOf = (path: string) => fetchPlaylist(media, job, path);
  const analyzePictures = async () => {
    const seen = await metrics.timed('picture', async () =>
      analyzeFrames(tools, await listOf(smallestRung(ladder).playlist), span),
    );
    metrics.pictures('sample', seen.samples.length);
    if (tools.tools.tesseract === undefined) {
      metrics.textSkipped();
      return { ...seen, texts: [] };
    }
    const most = readingsFor(span, readingsPerMinute);
    const rung = readingRung(ladder);
    const { texts, pictures } = await metrics.timed('text', async () => {
      const readable = { rung, playlist: await listOf(rung.playlist) };
      return readText(tools, readable, textIntervals(seen.shots, seen.samples, most), seen.samples, span);
    });
    metrics.pictures('reading', pictures);
    metrics.texts(texts.length);
    return { ...seen, texts };
  };
  const analyzeSound = async () =>
    ladder.audio === null
      ? []
      : metrics.timed('sound', async () => listen(tools, await listOf(ladder.audio?.playlist ?? ''), span));
  const [{ shots, intervals, texts }, seconds] = await Promise.all([analyzePictures(), analyzeSound()]);
  return { version: 1, span, shots, intervals, texts, read: tools.tools.tesseract !== undefined, seconds };
}
