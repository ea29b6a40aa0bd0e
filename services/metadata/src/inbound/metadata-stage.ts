/** The metadata stage: analyzes each span of a video, then writes the document from all analyses. */
import { defineStage, limitsFor, toolFailedTwice, type NewJob } from '@vds/chassis/stage/define-stage';
import { stageEvents } from '@vds/proto/events';
import { missingSpans } from '../outbound/analyses.ts';
import { documentJob, runAnalyze } from './analyze.ts';
import type { Deps, MetadataJob } from './deps.ts';
import { runDocument } from './write-document.ts';

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
