/** The encode stage: sound, cutting, pieces and assembly of a video, each a separate job. */
import type { Executor, PoolClient } from '@vds/chassis/database/database';
import { addToOutbox, outgoing, type Outgoing } from '@vds/chassis/database/outbox';
import { AppError, messageOf } from '@vds/chassis/errors';
import { defineStage, limitsFor, toolFailedTwice, type NewJob } from '@vds/chassis/stage/define-stage';
import { attemptPrefix, newJobFolder } from '@vds/chassis/objects/keys';
import { events, stageEvents } from '@vds/proto/events';
import { playlistName } from '../domain/hls/object-keys.ts';
import { copyName, cutSource } from '../domain/jobs/cut-source.ts';
import { encodeAudio } from '../domain/jobs/encode-audio.ts';
import { encodePiece } from '../domain/jobs/encode-piece.ts';
import type { EncodePorts } from '../domain/jobs/encode-ports.ts';
import type { EncodedAudio, JobResult } from '../domain/jobs/job-results.ts';
import {
  allJobs,
  assembleJob,
  firstJobs,
  gatherJobs,
  pieceJobs,
  withCosts,
  type EncodeJob,
} from '../domain/plan/encode-jobs.ts';
import type { EncodePlan } from '../domain/plan/encode-plan.ts';
import { endEarly, findEarlyJobs, lockEarly, replaceEarlyPlan } from '../outbound/early-rows.ts';
import {
  addResults,
  findDone,
  findMissing,
  findPlan,
  percentOf,
  readResults,
  savePercent,
  saveResult,
  type AttemptKey,
} from '../outbound/encode-rows.ts';
import { assemble } from './assemble.ts';
import type { Deps, EncodeStageJob } from './deps.ts';
import { failureOf } from './failure.ts';
import { nameOfEarly, PREFIX } from './early-stage.ts';
import { planSource } from './inspect-stage.ts';
import { effortOf, everyTwoSeconds, withPorts } from './with-ports.ts';

/** How often it is looked whether pieces that were begun early are done. */
const GATHER_MS = 500;

export const encodeStage = defineStage<Deps, EncodeJob, typeof stageEvents.encode>({
  name: 'encode',
  events: stageEvents.encode,
  plan: async (request, _deps, client) => {
    const plan = await findPlan(client, request);
    return plan ? startEncode(client, request, plan) : [{ name: 'plan', payload: { kind: 'plan' } }];
  },
  alsoStarted: async (request, client) => {
    const plan = await findPlan(client, request);
    return plan && !plan.probe.audio ? [audioCompleted(request, '')] : [];
  },
  jobs: {
    plan: { run: runPlan },
    // As short as an inspection: it waits for no piece.
    audio: { queue: 'inspect', run: runAudio },
    gather: { run: runGather },
    cut: { run: runCut },
    piece: { run: runPiece },
    assemble: { run: runAssemble },
  },
  // Where jobs share their cores, 8K at 60 a second takes forty times its duration.
  limits: ({ request }, deps) => limitsFor(deps, request.durationMs, 64),
  failure: failureOf,
  givesUp: toolFailedTwice,
});

/** Records the jobs that a plan needs results of, and returns those that can start at once. */
async function startEncode(client: PoolClient, key: AttemptKey, plan: EncodePlan): Promise<NewJob<EncodeJob>[]> {
  await addResults(client, key, allJobs(plan));
  // Nothing that is discarded is waited for.
  const isOpen = await lockEarly(client, key);
  const begun = isOpen ? await findBegunJobs(client, key) : [];
  const done = await findDone(client, key);
  if (begun.length === 0) await endEarly(client, key);
  if (done.has('audio')) await publishAudio(client, key);
  const left = firstJobs(plan).filter(({ name }) => !begun.includes(name) && !done.has(name));
  return withCosts([...left, ...gatherJobs(begun, begun.length > 0 || done.size > 0)], plan);
}

/** Names of the jobs whose work early jobs do. */
async function findBegunJobs(client: Executor, key: AttemptKey): Promise<string[]> {
  const names = await findEarlyJobs(client, key);
  return names.filter((name) => name.startsWith(PREFIX)).map(nameOfEarly);
}

async function publishAudio(client: PoolClient, key: AttemptKey): Promise<void> {
  const { audio } = await readResults(client, key);
  if (audio) await addToOutbox(client, [audioCompleted(key, playlistOf(key, audio))]);
}

function playlistOf({ videoId, attempt }: AttemptKey, { folder }: EncodedAudio): string {
  return `${attemptPrefix(videoId, attempt)}${folder}/a/${playlistName}`;
}

function audioCompleted({ videoId, attempt }: AttemptKey, playlistKey: string): Outgoing {
  const payload = { videoId, attempt, hasAudio: playlistKey !== '', playlistKey };
  return outgoing(events.audioCompleted, payload, `${events.audioCompleted.subject}/${videoId}/${attempt}`);
}

async function runPlan(job: EncodeStageJob, deps: Deps): Promise<void> {
  const plan = await planSource(deps, job);
  await job.complete(async (client) => {
    await replaceEarlyPlan(client, job, plan, job.request.sourceKey);
    await job.stage.enqueue(client, await startEncode(client, job, plan));
  });
}

async function runAudio(job: EncodeStageJob, deps: Deps): Promise<void> {
  const plan = await planOf(deps, job);
  const progress = progressReporter(deps, job);
  const audio = await withPorts(deps, job, plan, { progress }, (ports) => encodeAudio(ports, plan));
  await finishJob(job, plan, audio, (client) => addToOutbox(client, [audioCompleted(job, playlistOf(job, audio))]));
}

async function planOf({ pool }: Deps, key: AttemptKey): Promise<EncodePlan> {
  const plan = await findPlan(pool, key);
  if (!plan) throw new AppError('INTERNAL', 'the attempt has no plan');
  return plan;
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

/** Saves a job's result and completes the job; the last job enqueues the assembly. */
export async function finishJob(
  job: EncodeStageJob,
  plan: EncodePlan,
  result: JobResult,
  also: (client: PoolClient) => Promise<void> = async () => {},
): Promise<void> {
  return job.complete(async (client) => {
    await job.stage.lock(client);
    const left = await saveResult(client, job, job.name, result);
    await also(client);
    if (left === 0) await job.stage.enqueue(client, withCosts([assembleJob(job.name === 'whole')], plan));
  });
}

async function runCut(job: EncodeStageJob, deps: Deps): Promise<void> {
  const plan = await planOf(deps, job);
  const progress = progressReporter(deps, job);
  const cut = await withPorts(deps, job, plan, { progress }, (ports) => cutSource(ports, plan));
  await finishJob(job, plan, cut, (client) => job.stage.enqueue(client, withCosts(pieceJobs(plan), plan)));
}

async function runPiece(job: EncodeStageJob<'piece'>, deps: Deps): Promise<void> {
  const plan = await planOf(deps, job);
  const { index } = job.payload;
  const { cut } = await readResults(deps.pool, job);
  const copyKey = cut ? `${attemptPrefix(job.videoId, job.attempt)}${cut.folder}/${copyName(index)}` : undefined;
  const options = { progress: progressReporter(deps, job), copyKey };
  const encodeOne = (ports: EncodePorts) => encodePiece(ports, plan, index, effortOf(deps, plan));
  await finishJob(job, plan, await withPorts(deps, job, plan, options, encodeOne));
}

/** Waits for what was begun early; what came to nothing is begun again. */
async function runGather(job: EncodeStageJob<'gather'>, deps: Deps): Promise<void> {
  const plan = await planOf(deps, job);
  const { begun } = job.payload;
  const running = await findBegunJobs(deps.pool, job);
  if (running.some((name) => begun.includes(name))) {
    await job.stage.progress(await percentOf(deps.pool, job));
    return job.postpone(GATHER_MS);
  }
  await job.complete(async (client) => {
    await job.stage.lock(client);
    if (running.length === 0) await endEarly(client, job);
    // Of a video that was planned anew meanwhile as one piece, no other one is missing.
    const missing = await findMissing(client, job);
    if (begun.includes('audio') && !missing.has('audio')) await publishAudio(client, job);
    const lost = allJobs(plan).filter(({ name }) => begun.includes(name) && missing.has(name));
    await job.stage.enqueue(client, withCosts(lost, plan));
    if (missing.size === 0) await job.stage.enqueue(client, withCosts([assembleJob()], plan));
  });
}

async function runAssemble(job: EncodeStageJob, deps: Deps): Promise<void> {
  await assemble(deps, job, await planOf(deps, job), newJobFolder(job.name, job.fence));
}
