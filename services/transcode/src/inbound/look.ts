/** Begins the encoding of a source that is being fetched: plans by what is stored, and begins each job whose bytes are. */
import { AppError } from '@vds/chassis/errors';
import type { PoolClient } from '@vds/chassis/database/database';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import type { FailedJob } from '@vds/chassis/stage/define-stage';
import type { stageEvents } from '@vds/proto/events';
import { inspectSource } from '../domain/jobs/inspect-source.ts';
import { allJobs, arrivedJobs, type EncodeJob } from '../domain/plan/encode-jobs.ts';
import type { EncodePlan } from '../domain/plan/encode-plan.ts';
import { headsOf, holds, type ByteRange } from '../domain/source/source-index.ts';
import { addResults, findPlan, savePlan, type SavedPlan } from '../outbound/encode-rows.ts';
import { headPorts } from '../outbound/job-ports.ts';
import { storedRanges } from '../outbound/source-parts.ts';
import { beginJobs, confirmPlan, startConfirmed } from './confirm-plan.ts';
import type { Deps, EncodeStageJob } from './deps.ts';
import { failureOf } from './failure.ts';
import { planSource } from './inspect-stage.ts';

/** Pauses between two looks: a twentieth of the time since the first plan. A slot does not wait, the job comes again. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [500, 30_000];

const BLIND_LOOK = 'blind-look';

export async function runLook(job: EncodeStageJob<'look'>, deps: Deps): Promise<void> {
  const saved = await findPlan(deps.pool, job);
  if (saved && !saved.provisional)
    return job.complete(async (client) => {
      await job.stage.lock(client);
      await startConfirmed(client, job.stage, job, saved.plan);
    });
  // Its inspection has completed, and a database restored to an earlier moment does not know.
  if (job.request.durationMs > 0) return planAgain(job, deps);
  const stored = await storedRanges(deps.sources, job.request);
  const known = saved ?? (job.payload.isBlind ? undefined : await planHead(job, deps, stored));
  await beginArrived(job, known, stored);
}

/** A source on which a look fails waits for its inspection, which decides what is wrong with it. */
export async function lookBlindly(
  client: PoolClient,
  job: FailedJob<EncodeJob, typeof stageEvents.encode, 'look'>,
  error: unknown,
): Promise<void> {
  if (job.payload.isBlind) await job.stage.fail(client, failureOf(error));
  else await job.stage.enqueue(client, [{ name: BLIND_LOOK, payload: { kind: 'look', isBlind: true } }]);
}

async function planAgain(job: EncodeStageJob<'look'>, deps: Deps): Promise<void> {
  const plan = await planSource(deps, job);
  await job.complete(async (client) => void (await confirmPlan(client, job.stage, job, plan, job.request)));
}

/** Saves the plan of a source by its head; undefined where that does not tell, or no piece can be read by itself. */
async function planHead(
  job: EncodeStageJob<'look'>,
  deps: Deps,
  stored: readonly ByteRange[],
): Promise<Pick<SavedPlan, 'plan' | 'ageMs'> | undefined> {
  const { sourceKey, sourceBytes } = job.request;
  // Nothing is left to gain: its inspection takes no longer.
  if (holds(stored, { from: 0, to: sourceBytes })) return undefined;
  for (const ranges of headsOf(stored, sourceBytes)) {
    const plan = await inspectHead(job, deps, ranges);
    // A head that ends inside the index tells of some tracks alone.
    const isTold = plan?.headers?.every((range) => holds(ranges, range)) === true;
    if (!isTold || plan.pieces.length === 1) continue;
    await savePlan(deps.pool, job, { plan, sourceKey, provisional: true });
    await failpoint('transcode.head-planned');
    return { plan, ageMs: 0 };
  }
  return undefined;
}

async function inspectHead(
  job: EncodeStageJob<'look'>,
  deps: Deps,
  ranges: readonly ByteRange[],
): Promise<EncodePlan | undefined> {
  try {
    return await withScratch(deps.scratchDir, 'transcode', (scratch) =>
      inspectSource(headPorts({ ...deps, scratch }, job, ranges), deps.limits, deps.planRules),
    );
  } catch (error) {
    const isOfFile = error instanceof AppError && (error.code === 'INVALID_ARGUMENT' || error.reason === 'tool_failed');
    if (!isOfFile) throw error;
    deps.log.info({ err: error }, 'the head of a source does not tell how to encode it');
    return undefined;
  }
}

/** Goes on until the plan is confirmed: that ends the job. */
async function beginArrived(
  job: EncodeStageJob<'look'>,
  known: Pick<SavedPlan, 'plan' | 'ageMs'> | undefined,
  stored: readonly ByteRange[],
): Promise<void> {
  const pause = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, (known?.ageMs ?? 0) / 20));
  await job.postpone(known ? pause : MAX_PAUSE_MS, async (client) => {
    if (!known) return;
    await job.stage.lock(client);
    const now = await findPlan(client, job);
    if (!now?.provisional) return;
    const jobs = arrivedJobs(now.plan, job.request.sourceBytes, stored);
    await addResults(client, job, allJobs(now.plan));
    await beginJobs(client, job.stage, job, now.plan, jobs);
  });
}
