/** The encode stage: sound, cutting, pieces and assembly of a video, each a job of its own. */
import type { PoolClient } from '@vds/chassis/database/database';
import { addToOutbox, outgoing, type Outgoing } from '@vds/chassis/database/outbox';
import { AppError, messageOf } from '@vds/chassis/errors';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import { defineStage, toolFailedTwice, type NewJob } from '@vds/chassis/stage/define-stage';
import { attemptPrefix, jobFolder } from '@vds/chassis/objects/keys';
import { events, stageEvents } from '@vds/proto/events';
import { playlistName } from '../domain/hls/object-keys.ts';
import { copyName, cutTitle } from '../domain/jobs/cut-title.ts';
import { encodeAudio } from '../domain/jobs/encode-audio.ts';
import { encodePiece } from '../domain/jobs/encode-piece.ts';
import { allJobs, assembleJob, firstJobs, pieceJobs, withCosts, type EncodeJob } from '../domain/plan/encode-jobs.ts';
import { durationMs, type TitlePlan } from '../domain/plan/title-plan.ts';
import {
  addResults,
  findPlan,
  percentOf,
  readResults,
  savePercent,
  savePlan,
  saveResult,
  type AttemptKey,
} from '../outbound/encode-rows.ts';
import { cutPorts, encodePorts, type EncodeDeps, type JobSource } from '../outbound/job-ports.ts';
import { assemble } from './assemble.ts';
import type { Deps, EncodeStageJob } from './deps.ts';
import { failureOf } from './failure.ts';
import { planSource } from './inspect.ts';

/** How often the progress of a job is written. */
const progressEveryMs = 2_000;

export const encode = defineStage<Deps, EncodeJob, typeof stageEvents.encode>({
  name: 'encode',
  events: stageEvents.encode,
  plan: async (request, _deps, client) => {
    const plan = await findPlan(client, request);
    return plan ? beginTitle(client, request, plan) : [{ name: 'plan', payload: { kind: 'plan' } }];
  },
  alsoStarted: async (request, client) => {
    const plan = await findPlan(client, request);
    return plan && !plan.facts.audio ? [audioCompleted(request, '')] : [];
  },
  jobs: {
    plan: { run: runPlan },
    audio: { run: runAudio },
    cut: { run: runCut },
    piece: { run: runPiece },
    assemble: { run: async (job, deps) => assemble(deps, job, await planOf(deps, job), folderOf(job)) },
  },
  failure: failureOf,
  givesUp: toolFailedTwice,
});

/** Records the jobs that a plan needs results of, and returns those that can start at once. */
async function beginTitle(client: PoolClient, key: AttemptKey, plan: TitlePlan): Promise<NewJob<EncodeJob>[]> {
  await addResults(client, key, allJobs(plan));
  return withCosts(firstJobs(plan), plan);
}

function audioCompleted({ videoId, attempt }: AttemptKey, playlistKey: string): Outgoing {
  const payload = { videoId, attempt, hasAudio: playlistKey !== '', playlistKey };
  return outgoing(events.audioCompleted, payload, `${events.audioCompleted.subject}/${videoId}/${attempt}`);
}

async function runPlan(job: EncodeStageJob, deps: Deps): Promise<void> {
  const plan = await planSource(deps, job, sourceOf(job));
  await job.complete(async (client) => {
    await savePlan(client, job, plan);
    await job.stage.enqueue(client, await beginTitle(client, job, plan));
  });
}

function sourceOf({ videoId, attempt, request: { sourceKey, sourceBytes } }: EncodeStageJob): JobSource {
  return { videoId, attempt, sourceKey, sourceBytes };
}

async function runAudio(job: EncodeStageJob, deps: Deps): Promise<void> {
  const plan = await planOf(deps, job);
  const made = await atWork(deps, job, plan, (at) => encodeAudio(encodePorts(at, sourceOf(job)), plan, at.folder));
  const playlist = `${attemptPrefix(job.videoId, job.attempt)}${folderOf(job)}/a/${playlistName}`;
  await keep(job, plan, made, (client) => addToOutbox(client, [audioCompleted(job, playlist)]));
}

async function planOf({ pool }: Deps, key: AttemptKey): Promise<TitlePlan> {
  const plan = await findPlan(pool, key);
  if (!plan) throw new AppError('INTERNAL', 'the title has no plan');
  return plan;
}

/** The job's own folder, below the attempt. */
function folderOf({ name, fence }: EncodeStageJob): string {
  return jobFolder(name, fence);
}

function atWork<T>(deps: Deps, job: EncodeStageJob, plan: TitlePlan, work: (at: EncodeDeps) => Promise<T>): Promise<T> {
  return withScratch(deps.scratchDir, 'transcode', (scratch) =>
    work({
      ...deps,
      scratch,
      signal: job.signal,
      folder: folderOf(job),
      progress: reporter(deps, job),
      // Far beyond any real encoding: it ends processes that hang; the stage's deadline is catalog's.
      timeoutMs: 900_000 + durationMs(plan.timeline) * 60,
    }),
  );
}

/** Writes progress at most every two seconds. */
function reporter(deps: Deps, job: EncodeStageJob): (percent: number) => void {
  let written = 0;
  return (percent) => {
    job.progress(percent);
    if (Date.now() - written < progressEveryMs) return;
    written = Date.now();
    noteProgress(deps, job, percent).catch((error: unknown) =>
      deps.log.warn({ reason: messageOf(error) }, 'progress could not be written'),
    );
  };
}

/** Writes a job's progress, and reports the stage's resulting progress. */
export async function noteProgress({ pool }: Pick<Deps, 'pool'>, job: EncodeStageJob, percent: number): Promise<void> {
  await savePercent(pool, job, job.name, percent);
  await job.stage.progress(await percentOf(pool, job));
}

/** Saves a job's result; the last job enqueues the assembly. */
export function keep(
  job: EncodeStageJob,
  plan: TitlePlan,
  made: unknown,
  also: (client: PoolClient) => Promise<void> = async () => {},
): Promise<void> {
  return job.complete(async (client) => {
    await job.stage.lock(client);
    const left = await saveResult(client, job, job.name, made);
    await also(client);
    if (left === 0) await job.stage.enqueue(client, withCosts([assembleJob(job.name === 'whole')], plan));
  });
}

async function runCut(job: EncodeStageJob, deps: Deps): Promise<void> {
  const plan = await planOf(deps, job);
  await atWork(deps, job, plan, (at) => cutTitle(cutPorts(at, sourceOf(job)), plan));
  await keep(job, plan, { folder: folderOf(job) }, (client) =>
    job.stage.enqueue(client, withCosts(pieceJobs(plan), plan)),
  );
}

async function runPiece(job: EncodeStageJob<'piece'>, deps: Deps): Promise<void> {
  const plan = await planOf(deps, job);
  const { index } = job.payload;
  const cut = (await readResults(deps.pool, job)).get('cut') as { readonly folder: string } | undefined;
  const copied = cut && `${attemptPrefix(job.videoId, job.attempt)}${cut.folder}/${copyName(index)}`;
  const made = await atWork(deps, job, plan, (at) =>
    encodePiece(encodePorts(at, sourceOf(job), copied), plan, index, at.folder, deps.effort),
  );
  await keep(job, plan, made);
}
