/** Begins the encoding of a source that is being fetched: plans by what is stored, and begins each job whose bytes are. */
import { withTransaction, type PoolClient } from '@vds/chassis/database/database';
import { AppError } from '@vds/chassis/errors';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import type { FailedJob } from '@vds/chassis/stage/define-stage';
import { lockClaim } from '@vds/chassis/work/job-rows';
import type { stageEvents } from '@vds/proto/events';
import { inspectSource } from '../domain/jobs/inspect-source.ts';
import { allJobs, arrivedJobs, type EncodeJob } from '../domain/plan/encode-jobs.ts';
import type { EncodePlan } from '../domain/plan/encode-plan.ts';
import { nextPart } from '../domain/plan/known-part.ts';
import { headsOf, holds, type ByteRange } from '../domain/source/source-index.ts';
import { addResults, findPlan, hasBegun, type SavedPlan } from '../outbound/encode-rows.ts';
import { headPorts } from '../outbound/job-ports.ts';
import { storedRanges } from '../outbound/source-parts.ts';
import { beginJobs, confirmPlan, extendPlan, startConfirmed } from './confirm-plan.ts';
import type { Deps, EncodeStageJob } from './deps.ts';
import { failureOf } from './failure.ts';
import { planSource } from './inspect-stage.ts';

/** Pauses between two inspections: a twentieth of the time since the first plan. A slot does not wait, the job comes again. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [500, 30_000];

const AWAIT_INSPECTION = 'await-inspection';

export async function runInspectHead(job: EncodeStageJob<'inspect-head'>, deps: Deps): Promise<void> {
  const found = await findPlan(deps.pool, job);
  if (found && !found.provisional) return job.complete((client) => startUnlessBegun(client, job));
  // Its inspection has completed, and a database restored to an earlier moment does not know.
  if (job.request.durationMs > 0) return planAgain(job, deps);
  if (job.payload.awaitsInspection) return job.postpone(MAX_PAUSE_MS);
  const stored = await storedRanges(deps.sources, job.request);
  // A source that is fetched anew has another key.
  const isCurrent = found?.sourceKey === job.request.sourceKey;
  const known = await (found && isCurrent ? extended(job, deps, found, stored) : planHead(job, deps, stored));
  await beginArrived(job, known, stored);
}

/** The plan may have been confirmed before the stage was requested. */
async function startUnlessBegun(client: PoolClient, job: EncodeStageJob<'inspect-head'>): Promise<void> {
  await job.stage.lock(client);
  const saved = await findPlan(client, job);
  if (saved && !(await hasBegun(client, job))) await startConfirmed(client, job.stage, job, saved.plan);
}

/** A source whose head cannot be inspected waits for its inspection as a whole, which decides what is wrong with it. */
export async function awaitInspection(
  client: PoolClient,
  job: FailedJob<EncodeJob, typeof stageEvents.encode, 'inspect-head'>,
  error: unknown,
): Promise<void> {
  if (job.payload.awaitsInspection) await job.stage.fail(client, failureOf(error));
  else
    await job.stage.enqueue(client, [
      { name: AWAIT_INSPECTION, payload: { kind: 'inspect-head', awaitsInspection: true } },
    ]);
}

async function planAgain(job: EncodeStageJob<'inspect-head'>, deps: Deps): Promise<void> {
  const plan = await planSource(deps, job);
  await job.complete(async (client) => {
    await job.stage.lock(client);
    const saved = await findPlan(client, job);
    if (!saved || saved.provisional) await confirmPlan(client, job.stage, job, plan, job.request);
  });
}

/** The plan by more of the source than it was made from, once that is worth it. */
async function extended(
  job: EncodeStageJob<'inspect-head'>,
  deps: Deps,
  saved: SavedPlan,
  stored: readonly ByteRange[],
): Promise<SavedPlan> {
  const { known } = saved.plan;
  const part = known && nextPart(known.bytes, stored, job.request.sourceBytes);
  if (!part) return saved;
  // Also where it tells nothing more, it was looked at.
  const plan = await inspectHead(job, deps, [part]);
  return { ...saved, plan: await saveProvisional(job, deps, plan?.known ? plan : saved.plan, part.to) };
}

/** Saves the plan of a source by its head; undefined where that does not tell, or no piece can be read by itself. */
async function planHead(
  job: EncodeStageJob<'inspect-head'>,
  deps: Deps,
  stored: readonly ByteRange[],
): Promise<Pick<SavedPlan, 'plan' | 'ageMs'> | undefined> {
  const { sourceBytes } = job.request;
  // Nothing is left to gain: its inspection takes no longer. A head that tells nothing is read again ever more rarely.
  if (holds(stored, { from: 0, to: sourceBytes }) || !Number.isInteger(Math.log2(job.fence))) return undefined;
  for (const ranges of headsOf(stored, sourceBytes)) {
    const plan = await inspectHead(job, deps, ranges);
    // A head that ends inside the index tells of some tracks alone.
    const isTold = plan?.headers?.every((range) => holds(ranges, range)) === true;
    // A part without a whole piece is known to be too short.
    if (!plan || (!plan.known && (!isTold || plan.pieces.length === 1))) continue;
    return { plan: await saveProvisional(job, deps, plan, ranges[0]?.to ?? 0), ageMs: 0 };
  }
  return undefined;
}

/** @param lookedAt bytes of the source */
async function saveProvisional(
  job: EncodeStageJob<'inspect-head'>,
  deps: Deps,
  { known, ...plan }: EncodePlan,
  lookedAt: number,
): Promise<EncodePlan> {
  const saved = { ...plan, known: known && { ...known, bytes: lookedAt } };
  await withTransaction(deps.pool, async (client) => {
    await lockClaim(client, job);
    await extendPlan(client, job.stage, job, saved, job.request);
  });
  await failpoint('transcode.head-planned');
  return saved;
}

async function inspectHead(
  job: EncodeStageJob<'inspect-head'>,
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
  job: EncodeStageJob<'inspect-head'>,
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
    await beginJobs(client, job.stage, job, now.plan, jobs, true);
  });
}
