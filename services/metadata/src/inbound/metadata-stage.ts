/** The metadata stage: analyzes each span of a video, then writes the document from all analyses. */
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { getDocument } from '@vds/chassis/objects/documents';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import { defineStage, limitsFor, toolFailedTwice, type NewJob } from '@vds/chassis/stage/define-stage';
import { ladderDocument } from '@vds/proto/documents/ladder';
import { stageEvents } from '@vds/proto/events';
import { analyzeSpan } from '../domain/jobs/analyze-span.ts';
import { makeDocument } from '../domain/jobs/make-document.ts';
import { spanAt, spanCount } from '../domain/span.ts';
import { missingSpans, saveAnalysis, saveDocument } from '../outbound/analyses.ts';
import { analyzePorts, documentPorts } from '../outbound/job-ports.ts';
import type { Deps, MetadataJob, MetadataStageJob } from './deps.ts';

/** The last job of a revision. */
const documentJob: NewJob<MetadataJob> = { name: 'document', payload: { kind: 'document' } };

export const metadataStage = defineStage<Deps, MetadataJob, typeof stageEvents.metadata>({
  name: 'metadata',
  events: stageEvents.metadata,
  // If all spans were analyzed before, only the document is written again.
  plan: async (request, _deps, client) => {
    const { durationMs } = request.request;
    const missing = await missingSpans(client, request, durationMs);
    return missing.length > 0 ? missing.map((span) => analyzeJob(span, durationMs)) : [documentJob];
  },
  // Every failure is internal_error: the renditions are ours, so a partner could fix nothing.
  jobs: {
    analyze: { queue: 'analyze', run: runAnalyze },
    document: { queue: 'document', run: runDocument },
  },
  limits: ({ request }, deps) => limitsFor(deps, request.durationMs, 8),
  givesUp: toolFailedTwice,
});

function analyzeJob(span: number, durationMs: number): NewJob<MetadataJob> {
  return { name: `analyze-${span}`, payload: { kind: 'analyze', span }, cost: durationMs / 1_000 };
}

async function runAnalyze(job: MetadataStageJob<'analyze'>, deps: Deps): Promise<void> {
  const { durationMs, ladderKey } = job.request;
  const { span } = job.payload;
  const ladder = await getDocument(deps.media, ladderKey, ladderDocument);
  const analysis = await withScratch(deps.scratchDir, 'metadata', (scratch) =>
    analyzeSpan(analyzePorts(deps, job, scratch), ladder, spanAt(durationMs, span)),
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

async function runDocument(job: MetadataStageJob<'document'>, deps: Deps): Promise<void> {
  const document = await deps.metrics.timed('document', () => makeDocument(documentPorts(deps, job), job.request));
  await job.complete(async (client) => {
    if (await job.stage.complete(client, {})) await saveDocument(client, job, document);
  });
}
