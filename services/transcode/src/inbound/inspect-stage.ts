/** The inspect stage: fetches a source, checks it, and plans its encoding. */
import { defineStage, limitsFor, type StageJob } from '@vds/chassis/stage/define-stage';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import { stageEvents } from '@vds/proto/events';
import { warnings } from '@vds/proto/warnings';
import { inspectSource } from '../domain/jobs/inspect-source.ts';
import { durationMs, type EncodePlan } from '../domain/plan/encode-plan.ts';
import { inspectPorts, type SourceJob } from '../outbound/job-ports.ts';
import { confirmPlan, type EncodeHandle } from './confirm-plan.ts';
import type { Deps } from './deps.ts';
import { failureOf } from './failure.ts';

type InspectJob = { readonly kind: 'inspect' };

export const inspectStage = defineStage<Deps, InspectJob, typeof stageEvents.inspect>({
  name: 'inspect',
  events: stageEvents.inspect,
  plan: ({ request }) => [{ name: 'inspect', payload: { kind: 'inspect' }, cost: inspectCost(request) }],
  jobs: { inspect: { run: runInspect } },
  // Some sources are decoded completely: about an hour for each gigabyte where it is slow.
  limits: ({ request }, deps) => limitsFor(deps, request.sourceBytes / 1_000, 4),
  failure: failureOf,
});

/** Roughly the seconds of an inspection. */
export function inspectCost({ sourceBytes }: { readonly sourceBytes: number }): number {
  return sourceBytes / 50_000_000;
}

async function runInspect(job: StageJob<InspectJob, typeof stageEvents.inspect>, deps: Deps): Promise<void> {
  const plan = await planSource(deps, job);
  const result = {
    durationMs: durationMs(plan.timeline),
    hasAudio: plan.probe.audio !== undefined,
    warnings: plan.warnings.map((code) => ({ code, message: warnings[code].message })),
  };
  await job.complete(async (client) => {
    if (await confirmPlan(client, job.sibling('encode') as EncodeHandle, job, plan, job.request))
      deps.log.warn('complete source contradicts its head: provisional results discarded');
    await job.stage.complete(client, result);
  });
}

/** Fetches a source, probes it, and decides how it will be encoded. */
export function planSource(deps: Deps, job: SourceJob): Promise<EncodePlan> {
  return withScratch(deps.scratchDir, 'transcode', (scratch) =>
    inspectSource(inspectPorts({ ...deps, scratch }, job), deps.limits, deps.planRules),
  );
}
