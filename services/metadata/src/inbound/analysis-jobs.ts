/** The door through which looks come: one span of a title's pictures and sound. */
import { AppError } from '@vds/chassis/errors';
import { getDocument } from '@vds/chassis/objects/documents';
import { ladderDocument } from '@vds/proto/documents/ladder';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import { stageOfUnit, type StageRequest } from '@vds/chassis/stage/stages';
import { enqueue, type Job, type Queue } from '@vds/chassis/work/work';
import { lockGroup } from '@vds/chassis/stage/tombstones';
import type { Analysis } from '../domain/analysis.ts';
import { readingRung, smallestRung } from '../domain/renditions.ts';
import type { Request } from '../domain/request.ts';
import { spanAt, spanCount, type Span } from '../domain/span.ts';
import { textIntervals, readingsFor } from '../domain/text/text-intervals.ts';
import { listen } from '../outbound/listen.ts';
import { analyzeFrames, type Deps as AnalysisDeps } from '../outbound/analyze-frames.ts';
import { saveAnalysis } from '../outbound/analyses.ts';
import { readText } from '../outbound/read-text.ts';
import { fetchPlaylist } from '../outbound/renditions.ts';
import { failStage } from './failing.ts';
import { missingSpans, writeUnit, type AnalysisPayload } from './units.ts';
import type { Deps } from './deps.ts';

/** Far beyond any real look: it ends what hangs, the stage's own deadline is its conductor's. */
const timeoutMs = 900_000;

export function analysisQueue(deps: Deps, slots: number): Queue {
  return {
    slots,
    run: (job) => perform(deps, job).catch(failPermanently(job)),
    failed: (client, job, error) => failStage(deps, client, job, error),
  };
}

async function perform(deps: Deps, job: Job): Promise<void> {
  const { stages, scratchDir, tools, media } = deps;
  const key = stageOfUnit(job);
  const asked = await stages.enter(key);
  if (!asked) return job.complete();
  const { span } = job.payload as AnalysisPayload;
  const { durationMs } = asked.request;
  const found = await withScratch(scratchDir, 'metadata', (scratch) =>
    look(deps, { scratch, signal: job.signal, timeoutMs, tools, media }, asked, spanAt(durationMs, span)),
  );
  let left = 0;
  await job.complete(async (client) => {
    // One at a time, or two last looks would each see the other one missing. The group's own lock belongs to those who
    // cancel it, and who wait for this unit while they hold it.
    await lockGroup(client, `looks/${key.groupKey}`);
    await saveAnalysis(client, key, span, found);
    left = (await missingSpans(client, key, durationMs)).length;
    if (left === 0) await enqueue(client, [writeUnit(asked)]);
  });
  await stages.progress(key, 95 * (1 - left / spanCount(durationMs)));
}

/** Text is read after the pictures were looked at, which say where to look; the sound is heard meanwhile. */
async function look(deps: Deps, desk: AnalysisDeps, asked: StageRequest<Request>, span: Span): Promise<Analysis> {
  const { media, meters, readingsPerMinute } = deps;
  const ladder = await getDocument(media, asked.request.ladderKey, ladderDocument);
  const listOf = (path: string) => fetchPlaylist(media, asked, path);
  const seeAndRead = async () => {
    const seen = await meters.timed('picture', async () =>
      analyzeFrames(desk, await listOf(smallestRung(ladder).playlist), span),
    );
    meters.pictures('sample', seen.samples.length);
    if (desk.tools.tesseract === undefined) {
      meters.unread();
      return { ...seen, texts: [] };
    }
    const most = readingsFor(span, readingsPerMinute);
    const rung = readingRung(ladder);
    const { texts, pictures } = await meters.timed('text', async () => {
      const readable = { rung, playlist: await listOf(rung.playlist) };
      return readText(desk, readable, textIntervals(seen.shots, seen.samples, most), seen.samples, span);
    });
    meters.pictures('reading', pictures);
    meters.texts(texts.length);
    return { ...seen, texts };
  };
  const hear = async () =>
    ladder.audio === null
      ? []
      : meters.timed('sound', async () => listen(desk, await listOf(ladder.audio?.playlist ?? ''), span));
  const [{ shots, stretches, texts }, seconds] = await Promise.all([seeAndRead(), hear()]);
  return { version: 1, span, shots, stretches, texts, read: desk.tools.tesseract !== undefined, seconds };
}

/** A tool that ends with an error twice on the same pictures will do so for ever. */
function failPermanently(job: Job) {
  return (error: unknown) => {
    if (error instanceof AppError && error.reason === 'tool_failed' && job.tries >= 2)
      throw new AppError('INVALID_ARGUMENT', error.message, { cause: error });
    throw error;
  };
}
