/** The inspect stage: fetches a source, checks it, and plans its encoding. */
import type { PoolClient } from '@vds/chassis/database/database';
import { defineStage, limitsFor, type FailedJob, type StageJob } from '@vds/chassis/stage/define-stage';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import { stageEvents } from '@vds/proto/events';
import { warnings } from '@vds/proto/warnings';
import { inspectSource } from '../domain/jobs/inspect-source.ts';
import { durationMs, type EncodePlan } from '../domain/plan/encode-plan.ts';
import { discardEarly, replaceEarlyPlan } from '../outbound/early-rows.ts';
import { inspectPorts, type SourceJob } from '../outbound/job-ports.ts';
import type { Deps } from './deps.ts';
import { failureOf } from './failure.ts';

type InspectJob = { readonly kind: 'inspect' };

export const inspectStage = defineStage<Deps, InspectJob, typeof stageEvents.inspect>({
  name: 'inspect',
  events: stageEvents.inspect,
  plan: ({ request }) => [{ name: 'inspect', payload: { kind: 'inspect' }, cost: inspectCost(request) }],
  jobs: { inspect: { run: runInspect, failed: failInspect } },
  // Some sources are decoded completely: about an hour for each gigabyte where it is slow.
  limits: ({ request }, deps) => limitsFor(deps, request.sourceBytes / 1_000, 4),
  failure: failureOf,
  onAbort: async (client, stage) => {
    await discardEarly(client, stage);
    await stage.stage.fail(client, { code: 'internal_error', details: {} });
  },
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
    if (await replaceEarlyPlan(client, job, plan, job.request.sourceKey))
      deps.log.warn('complete source contradicts its head: early work discarded');
    await job.stage.complete(client, result);
  });
}

/** Early work on a rejected source ends with its inspection. */
async function failInspect(
  client: PoolClient,
  job: FailedJob<InspectJob, typeof stageEvents.inspect>,
  error: unknown,
): Promise<void> {
  await discardEarly(client, job);
  await job.stage.fail(client, failureOf(error));
}

/** Fetches a source, probes it, and decides how it will be encoded. */
export function planSource(deps: Deps, job: SourceJob): Promise<EncodePlan> {
  return withScratch(deps.scratchDir, 'transcode', (scratch) =>
    inspectSource(inspectPorts({ ...deps, scratch }, job), deps.limits, deps.planRules),
  );
}
