/** Runs the work of one job of an encode in a scratch folder of its own, with the ports that it needs. */
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import { newJobFolder } from '@vds/chassis/objects/keys';
import type { EncodePorts } from '../domain/jobs/encode-ports.ts';
import type { EncodePlan } from '../domain/plan/encode-plan.ts';
import { encodeNeeds, jobLimits, probeMemory, smallProgramMemory } from '../domain/plan/work-estimate.ts';
import type { SavedPlan } from '../outbound/encode-rows.ts';
import { encodePorts, type SourceJob } from '../outbound/job-ports.ts';
import type { Deps } from './deps.ts';

/** Sound and inspections, which take seconds, go before pictures: a title can be watched as soon as its sound is there. */
const PIECE_NICENESS = 15;

type PlannedJob = SourceJob & { readonly payload: { readonly kind: string; readonly index?: number } };
type Options = {
  readonly progress: (percent: number) => void;
  /** Key of the copy that is read; undefined: the source. */
  readonly copyKey?: string | undefined;
};

export function withPorts<T>(
  deps: Deps,
  job: PlannedJob,
  { plan }: Pick<SavedPlan, 'plan'>,
  { progress, copyKey }: Options,
  work: (ports: EncodePorts) => Promise<T>,
): Promise<T> {
  const options = {
    folder: newJobFolder(job.name, job.fence),
    progress,
    limits: jobLimits(plan, job.payload, job.request.sourceBytes),
    ...(job.payload.kind === 'piece' && { niceness: PIECE_NICENESS }),
    memoryBytes: memoryOf(deps, plan, job.payload.kind),
    copyKey,
    packetsKey: plan.packetsKey,
    readWhole: () => deps.log.warn({ job: job.name }, 'planned byte ranges insufficient: whole source read'),
    copyRejected: () => deps.log.warn({ job: job.name }, 'source packets rejected for the top rung: rung encoded'),
  };
  return withScratch(deps.scratchDir, 'transcode', async (scratch) => {
    const result = await work(encodePorts({ ...deps, scratch }, job, options));
    await failpoint('transcode.result-stored');
    return result;
  });
}

function memoryOf(deps: Deps, plan: EncodePlan, kind: string): number {
  if (kind === 'piece') return needsOf(deps, plan).memoryBytes;
  return kind === 'texts' && plan.probe.video.closedCaptions ? probeMemory : smallProgramMemory;
}

function needsOf({ effort, machine }: Deps, plan: EncodePlan) {
  return encodeNeeds(plan, effort, machine);
}

/** How much a piece's encoder may use. */
export function effortOf(deps: Deps, plan: EncodePlan): Deps['effort'] {
  return { ...deps.effort, threads: needsOf(deps, plan).threads };
}

/** Passes on at most one call every two seconds. */
export function everyTwoSeconds(report: (percent: number) => void): (percent: number) => void {
  let reportedAt = -Infinity;
  return (percent) => {
    if (performance.now() - reportedAt < PROGRESS_EVERY_MS) return;
    reportedAt = performance.now();
    report(percent);
  };
}

/** How often the progress of a job is written. */
const PROGRESS_EVERY_MS = 2_000;
