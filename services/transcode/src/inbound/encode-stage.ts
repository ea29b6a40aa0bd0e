/**
 * The encode stage: inspection of what is stored of the source, sound, cutting, pieces and assembly of a video, each a
 * separate job. It begins while the source is being fetched, by a provisional plan, and is assembled once the inspection
 * of the complete source has confirmed one.
 */
import type { PoolClient } from '@vds/chassis/database/database';
import { AppError, messageOf } from '@vds/chassis/errors';
import { defineStage, limitsFor, toolFailedTwice, type FailedJob } from '@vds/chassis/stage/define-stage';
import { attemptPrefix, newJobFolder } from '@vds/chassis/objects/keys';
import { textsDocument } from '@vds/proto/documents/texts';
import { stageEvents } from '@vds/proto/events';
import { NOT_AS_PLANNED } from '../domain/jobs/copy-piece.ts';
import { copyOriginal } from '../domain/jobs/copy-original.ts';
import { copyName, cutSource } from '../domain/jobs/cut-source.ts';
import { encodePiece } from '../domain/jobs/encode-piece.ts';
import type { EncodePorts } from '../domain/jobs/encode-ports.ts';
import { encodeAlternate, encodeSound } from '../domain/jobs/encode-sound.ts';
import { readTexts } from '../domain/jobs/read-texts.ts';
import { textsName } from '../domain/object-keys.ts';
import type { JobResult } from '../domain/plan/job-results.ts';
import { keptJobs } from '../domain/plan/kept-jobs.ts';
import {
  allJobs,
  assembleJob,
  joiningJob,
  pieceJobs,
  withCosts,
  type EncodeJob,
  type PlannedJob,
} from '../domain/plan/encode-jobs.ts';
import {
  findMissing,
  findPlan,
  percentOf,
  readResults,
  savePercent,
  saveResult,
  type SavedPlan,
} from '../outbound/encode-rows.ts';
import { assemble, joinSound } from './assemble.ts';
import { beginJobs, publishAudio } from './confirm-plan.ts';
import type { Deps, EncodeStageJob } from './deps.ts';
import { failureOf } from './failure.ts';
import { inspectCost } from './inspect-stage.ts';
import { awaitInspection, runInspectHead } from './inspect-head.ts';
import { effortOf, everyTwoSeconds, withPorts } from './with-ports.ts';

export const encodeStage = defineStage<Deps, EncodeJob, typeof stageEvents.encode>({
  name: 'encode',
  events: stageEvents.encode,
  plan: ({ request }) => [{ name: 'inspect-head', payload: { kind: 'inspect-head' }, cost: inspectCost(request) }],
  jobs: {
    'inspect-head': { queue: 'inspect', run: runInspectHead, failed: awaitInspection },
    // As short as an inspection: they wait for no piece.
    sound: { queue: 'inspect', run: runSound, failed: failUnlessProvisional },
    audio: { queue: 'inspect', run: runAudio },
    // Pictures and the main sound are what a video needs: these cost it nothing.
    alternate: { run: runAlternate, failed: leaveOut },
    texts: { run: runTexts, failed: leaveOut },
    original: { run: runOriginal, failed: leaveOut },
    cut: { run: runCut },
    piece: { run: runPiece, failed: failUnlessProvisional },
    assemble: { run: runAssemble },
  },
  // Where jobs share their cores, 8K at 60 a second takes forty times its duration, which only its source tells.
  limits: ({ request }, deps) => limitsFor(deps, request.durationMs || deps.limits.maxDurationMs, 64),
  failure: failureOf,
  givesUp: toolFailedTwice,
});

/** What fails of a source that is being fetched is made anew when its plan is confirmed, or was meanwhile. */
async function failUnlessProvisional(
  client: PoolClient,
  job: FailedJob<EncodeJob, typeof stageEvents.encode, 'sound' | 'piece'>,
  error: unknown,
): Promise<void> {
  await job.stage.lock(client);
  const saved = await findPlan(client, job);
  if (!saved || saved.provisional) return;
  const { kind, index, isProvisional } = job.payload;
  if (!isProvisional) return void (await job.stage.fail(client, failureOf(error)));
  const again = allJobs(saved.plan).filter(({ payload }) => payload.kind === kind && payload.index === index);
  await job.stage.remove(
    client,
    again.map(({ name }) => name),
    false,
  );
  await beginJobs(client, job.stage, job, saved.plan, again);
}

/** What a video can do without is left out where it cannot be made; of a source that is being fetched it is made anew. */
async function leaveOut(
  client: PoolClient,
  job: FailedJob<EncodeJob, typeof stageEvents.encode, 'alternate' | 'original' | 'texts'>,
  error: unknown,
  { log }: Deps,
): Promise<void> {
  await job.stage.lock(client);
  const saved = await findPlan(client, job);
  if (!saved || saved.provisional) return;
  const { kind } = job.payload;
  const isThis = ({ payload }: PlannedJob): boolean =>
    payload.kind === kind && (!('index' in payload && 'index' in job.payload) || payload.index === job.payload.index);
  const planned = allJobs(saved.plan).find(isThis);
  if (!planned) return;
  log.warn({ err: error, job: planned.name }, 'left out of the video');
  const result: JobResult = kind === 'texts' ? { kind, folder: '', languages: [] } : { kind: 'left-out', folder: '' };
  await endJob(client, { ...job, name: planned.name }, saved, result);
}

/** A job that only a plan before needed has nothing left to do. */
function isNeeded({ plan }: SavedPlan, { name }: EncodeStageJob): boolean {
  return name === 'whole' || allJobs(plan).some((planned) => planned.name === name);
}

function runSound(job: EncodeStageJob<'sound'>, deps: Deps): Promise<void> {
  return make(job, deps, (ports, { plan, provisional }) => encodeSound(ports, plan, job.payload.index, provisional));
}

function runAlternate(job: EncodeStageJob<'alternate'>, deps: Deps): Promise<void> {
  return make(job, deps, (ports, { plan }) => encodeAlternate(ports, plan, job.payload.index));
}

function runTexts(job: EncodeStageJob<'texts'>, deps: Deps): Promise<void> {
  return make(job, deps, async (ports, { plan }) => {
    const tracks = await readTexts(ports, plan);
    const text = textsDocument.write({ version: 1, videoId: job.videoId, tracks });
    if (tracks.length > 0) await ports.put(textsName, Buffer.from(text), 'application/json');
    return { kind: 'texts', folder: ports.folder, languages: tracks.map(({ language }) => language ?? '') };
  });
}

function runOriginal(job: EncodeStageJob<'original'>, deps: Deps): Promise<void> {
  return make(job, deps, (ports, { plan }) => copyOriginal(ports, plan));
}

function runCut(job: EncodeStageJob<'cut'>, deps: Deps): Promise<void> {
  return make(job, deps, (ports, { plan }) => cutSource(ports, plan));
}

async function runPiece(job: EncodeStageJob<'piece'>, deps: Deps): Promise<void> {
  const { index } = job.payload;
  const { cut } = await readResults(deps.pool, job);
  const copyKey = cut ? `${attemptPrefix(job.videoId, job.attempt)}${cut.folder}/${copyName(index)}` : undefined;
  await make(
    job,
    deps,
    (ports, { plan, provisional }) => encodePiece(ports, plan, index, effortOf(deps, plan), provisional),
    copyKey,
  );
}

type MakingJob = EncodeStageJob<'sound' | 'alternate' | 'texts' | 'original' | 'cut' | 'piece'>;

/**
 * Makes the result of a job, unless only a plan before needed it.
 * @param copyKey of the copy of a piece that it reads; undefined: the source
 */
async function make(
  job: MakingJob,
  deps: Deps,
  work: (ports: EncodePorts, saved: SavedPlan) => Promise<JobResult>,
  copyKey?: string,
): Promise<void> {
  const saved = await planOf(deps, job);
  if (!isNeeded(saved, job)) return job.complete();
  const options = { progress: progressReporter(deps, job), copyKey };
  const made = withPorts(deps, job, saved, options, (ports) => work(ports, saved)).catch(waitIfNotAsPlanned(deps));
  await finishJob(job, saved, await made);
}

async function runAudio(job: EncodeStageJob<'audio'>, deps: Deps): Promise<void> {
  const saved = await planOf(deps, job);
  const joined = await joinSound(deps, job, saved, newJobFolder(job.name, job.fence));
  if (joined) await finishJob(job, saved, joined);
}

function waitIfNotAsPlanned({ log }: Deps): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof AppError) || error.reason !== NOT_AS_PLANNED) throw error;
    log.info({ err: error }, 'job waits for the complete source');
    return undefined;
  };
}

async function planOf({ pool }: Deps, job: EncodeStageJob): Promise<SavedPlan> {
  const saved = await findPlan(pool, job);
  if (!saved) throw new AppError('INTERNAL', 'the attempt has no plan');
  return saved;
}

/** Reports progress at most every two seconds. */
function progressReporter(deps: Deps, job: EncodeStageJob): (percent: number) => void {
  const report = everyTwoSeconds((percent) => {
    reportProgress(deps, job, percent).catch((error: unknown) =>
      deps.log.warn({ reason: messageOf(error) }, 'progress could not be written'),
    );
  });
  return (percent) => {
    job.progress(percent);
    report(percent);
  };
}

/** Writes a job's progress, and reports the stage's resulting progress. */
export async function reportProgress(
  { pool }: Pick<Deps, 'pool'>,
  job: EncodeStageJob,
  percent: number,
): Promise<void> {
  await savePercent(pool, job, job.name, percent);
  await job.stage.progress(await percentOf(pool, job));
}

/**
 * Saves a job's result and completes the job; the last job of a confirmed plan enqueues the assembly.
 * @param used the plan that the job followed
 * @param result undefined where only the complete source yields one
 * @throws AppError ABORTED where the plan was replaced meanwhile by one that needs another result: the job runs again
 */
export async function finishJob(job: EncodeStageJob, used: SavedPlan, result: JobResult | undefined): Promise<void> {
  await job.complete(async (client) => {
    await job.stage.lock(client);
    const saved = (await findPlan(client, job)) ?? used;
    const { plan, provisional } = saved;
    const isSame = (): boolean => saved.sourceKey === used.sourceKey && keptJobs(used.plan, plan).has(job.name);
    const isReplaced = saved.version !== used.version && !isSame();
    if (isReplaced || (result === undefined && !provisional))
      throw new AppError('ABORTED', 'the plan was replaced while the job ran');
    if (result === undefined) return;
    await endJob(client, job, saved, result);
  });
}

/** Saves a result; the last one of a confirmed plan enqueues the assembly. */
async function endJob(
  client: PoolClient,
  job: Pick<EncodeStageJob, 'videoId' | 'attempt' | 'name' | 'stage'>,
  { plan, provisional }: SavedPlan,
  result: JobResult,
): Promise<void> {
  await saveResult(client, job, job.name, result);
  if (provisional) return;
  if (result.kind === 'audio' || result.kind === 'texts') await publishAudio(client, job, plan);
  if (result.kind === 'cut') await beginJobs(client, job.stage, job, plan, pieceJobs(plan));
  const missing = await findMissing(client, job);
  if (result.kind === 'sound') await job.stage.enqueue(client, withCosts(joiningJob(plan, missing), plan));
  if (missing.size === 0) await job.stage.enqueue(client, withCosts([assembleJob(job.name === 'whole')], plan));
}

async function runAssemble(job: EncodeStageJob, deps: Deps): Promise<void> {
  await assemble(deps, job, await planOf(deps, job), newJobFolder(job.name, job.fence));
}
