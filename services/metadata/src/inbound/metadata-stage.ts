/** The metadata stage: each span of a title is analyzed, then the document is written out of all of them. */
import { defineStage, toolFailedTwice, type NewJob } from '@vds/chassis/stage/define-stage';
import { stageEvents } from '@vds/proto/events';
import { missingSpans } from '../outbound/analyses.ts';
import { documentJob, runAnalyze } from './analyze.ts';
import type { Deps, MetadataJob } from './deps.ts';
import { runDocument } from './write-document.ts';

export const metadata = defineStage<Deps, MetadataJob, typeof stageEvents.metadata>({
  name: 'metadata',
  events: stageEvents.metadata,
  // Where all spans were analyzed before, only the document is written anew.
  plan: async (request, _deps, client) => {
    const { durationMs } = request.request;
    const missing = await missingSpans(client, request, durationMs);
    return missing.length > 0 ? missing.map((span) => analyzeJob(span, durationMs)) : [documentJob];
  },
  // Whatever fails, the renditions are ours: there is nothing that a partner could mend, so it is internal_error.
  jobs: {
    analyze: { queue: 'analyze', run: runAnalyze },
    document: { queue: 'document', run: runDocument },
  },
  givesUp: toolFailedTwice,
});

function analyzeJob(span: number, durationMs: number): NewJob<MetadataJob> {
  return { name: `analyze-${span}`, payload: { kind: 'analyze', span }, cost: durationMs / 1_000 };
}
