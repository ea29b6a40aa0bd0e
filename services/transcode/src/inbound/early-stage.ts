/**
 * Starts encoding before the fetch has finished: plans from the stored head (milestone `head`) and encodes each piece
 * whose bytes have arrived. No other job waits for it, and its results stay provisional until the complete source has
 * led to the same plan. An insufficient head starts nothing.
 */
import { withTransaction } from '@vds/chassis/database/database';
import { AppError } from '@vds/chassis/errors';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import { defineStage, limitsFor, toolFailedTwice, type NewJob, type StageJob } from '@vds/chassis/stage/define-stage';
import { events } from '@vds/proto/events';
import { encodeAudio } from '../domain/jobs/encode-audio.ts';
import { encodeEarly } from '../domain/jobs/encode-piece.ts';
import { NOT_AS_PLANNED } from '../domain/jobs/copy-piece.ts';
import { inspectSource } from '../domain/jobs/inspect-source.ts';
import type { EncodedPiece, JobResult } from '../domain/jobs/job-results.ts';
import { allJobs } from '../domain/plan/encode-jobs.ts';
import type { EncodePlan } from '../domain/plan/encode-plan.ts';
import { rangesOf } from '../domain/plan/piece-bytes.ts';
import { usualSeconds } from '../domain/plan/work-estimate.ts';
import { headsOf, holds } from '../domain/source/source-index.ts';
import { lockEarly, saveEarlyPlan } from '../outbound/early-rows.ts';
import { addResults, findAnyPlan, savePercent, saveResult } from '../outbound/encode-rows.ts';
import { headPorts } from '../outbound/head-ports.ts';
import { storedRanges } from '../outbound/source-parts.ts';
import type { Deps } from './deps.ts';
import { inspectCost } from './inspect-stage.ts';
import { effortOf, everyTwoSeconds, withPorts } from './with-ports.ts';

type EarlyPayload =
  | { readonly kind: 'look' }
  /** The sound, which begins when all parts are there: before the complete source is inspected. */
  | { readonly kind: 'audio'; readonly since: number }
  /** `since`: when it was first looked for its bytes, in milliseconds of the Unix epoch. */
  | { readonly kind: 'piece'; readonly index: number; readonly since: number };
type EarlyJob<Kind extends EarlyPayload['kind'] = EarlyPayload['kind']> = StageJob<
  EarlyPayload,
  typeof earlyEvents,
  Kind
>;

const earlyEvents = { requested: events.headStored };
export const PREFIX = 'early-';
/** Pauses between two looks for a job's bytes: a twentieth of what it has waited for. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [500, 30_000];
/** Longer than any fetch takes. */
const MAX_WAIT_MS = 3 * 3_600_000;

export const earlyStage = defineStage<Deps, EarlyPayload, typeof earlyEvents>({
  name: 'early',
  events: earlyEvents,
  plan: ({ request }) => [{ name: 'look', payload: { kind: 'look' }, cost: inspectCost(request) }],
  jobs: {
    look: { queue: 'inspect', run: runLook },
    // One that fails is left to the encode stage, and the others go on.
    audio: { queue: 'inspect', run: runAudio, failed: async () => {} },
    piece: { queue: 'encode', run: runPiece, failed: async () => {} },
  },
  givesUp: toolFailedTwice,
  // As an encode's; how long the video is, only its source tells.
  limits: (_request, deps) => limitsFor(deps, deps.limits.maxDurationMs, 64),
});

/** The name of the encode's job whose work an early job does. */
export function nameOfEarly(name: string): string {
  return name.replace(PREFIX, '');
}

async function runLook(job: EarlyJob, deps: Deps): Promise<void> {
  const plan = await planHead(deps, job);
  await job.complete(async (client) => {
    const isBegun = plan !== undefined && (await lockEarly(client, job)) && (await saveEarlyPlan(client, job, plan));
    if (!isBegun) return void (await job.stage.complete(client, {}));
    await addResults(client, job, allJobs(plan));
    await job.stage.enqueue(client, [...earlyPiece(plan, 0), ...earlyAudio(plan)]);
  });
  if (plan) await failpoint('transcode.head-planned');
}

/** The plan of a source by its head; undefined where that does not tell, or where no piece can be read by itself. */
async function planHead(deps: Deps, job: EarlyJob): Promise<EncodePlan | undefined> {
  const stored = await storedRanges(deps.sources, job.request);
  for (const ranges of headsOf(stored, job.request.sourceBytes))
    try {
      const plan = await withScratch(deps.scratchDir, 'transcode', (scratch) =>
        inspectSource(headPorts({ ...deps, scratch }, job, ranges), deps.limits, deps.planRules),
      );
      // A head that ends inside the index tells of some tracks alone.
      const isTold = plan.headers?.every((range) => holds(ranges, range)) === true;
      if (isTold && plan.pieces.length > 1) return plan;
    } catch (error) {
      if (!isOfFile(error)) throw error;
      deps.log.info({ err: error }, 'the head of a source does not tell how to encode it');
    }
  return undefined;
}

function isOfFile(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'INVALID_ARGUMENT' || error.reason === 'tool_failed');
}

/** Pieces are begun in their order, each by the one before as soon as that has its bytes. */
function earlyPiece(plan: EncodePlan, index: number): NewJob<EarlyPayload>[] {
  if (index >= plan.pieces.length) return [];
  const cost = usualSeconds(plan) * (1 + index / 1_000_000);
  return [{ name: `${PREFIX}piece-${index}`, payload: { kind: 'piece', index, since: Date.now() }, cost }];
}

function earlyAudio(plan: EncodePlan): NewJob<EarlyPayload>[] {
  return plan.probe.audio ? [{ name: `${PREFIX}audio`, payload: { kind: 'audio', since: Date.now() } }] : [];
}

async function runAudio(job: EarlyJob<'audio'>, deps: Deps): Promise<void> {
  const plan = (await findAnyPlan(deps.pool, job))?.plan;
  if (!plan) return job.complete();
  const all = { from: 0, to: job.request.sourceBytes };
  if (!holds(await storedRanges(deps.sources, job.request), all)) return waitForBytes(job);
  const progress = progressOf(deps, job);
  await finish(job, await withPorts(deps, job, plan, { progress }, (ports) => encodeAudio(ports, plan)));
}

async function runPiece(job: EarlyJob<'piece'>, deps: Deps): Promise<void> {
  const plan = (await findAnyPlan(deps.pool, job))?.plan;
  const bytes = plan?.pieces[job.payload.index]?.bytes;
  if (!plan || !bytes) return job.complete();
  const stored = await storedRanges(deps.sources, job.request);
  if (!rangesOf(bytes, plan.headers ?? []).every((range) => holds(stored, range))) return waitForBytes(job);
  await beginNext(deps, job, plan);
  const result = await encode(deps, job, plan);
  if (result) await finish(job, result);
  else await job.complete();
}

async function finish(job: EarlyJob<'audio' | 'piece'>, result: JobResult): Promise<void> {
  await job.complete(async (client) => {
    if (await lockEarly(client, job)) await saveResult(client, job, nameOfEarly(job.name), result);
  });
}

/** A slot does not wait: the job comes again. */
async function waitForBytes(job: EarlyJob<'audio' | 'piece'>): Promise<void> {
  const waited = Math.max(0, Date.now() - job.payload.since);
  if (waited < MAX_WAIT_MS) await job.postpone(Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, waited / 20)));
  else await job.complete(async (client) => void (await job.stage.complete(client, {})));
}

async function beginNext(deps: Deps, job: EarlyJob<'piece'>, plan: EncodePlan): Promise<void> {
  await withTransaction(deps.pool, async (client) => {
    const isOpen = await lockEarly(client, job);
    // Of a complete source the encode stage begins what is left.
    if (isOpen && (await findAnyPlan(client, job))?.provisional)
      await job.stage.enqueue(client, earlyPiece(plan, job.payload.index + 1));
  });
}

/** Undefined where the piece is not what the index says: it will be encoded of the complete source. */
async function encode(deps: Deps, job: EarlyJob<'piece'>, plan: EncodePlan): Promise<EncodedPiece | undefined> {
  const { index } = job.payload;
  const progress = progressOf(deps, job);
  try {
    return await withPorts(deps, job, plan, { progress }, (ports) =>
      encodeEarly(ports, plan, index, effortOf(deps, plan)),
    );
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== NOT_AS_PLANNED) throw error;
    deps.log.info({ err: error }, 'a piece was not encoded early');
    return undefined;
  }
}

function progressOf(deps: Deps, job: EarlyJob<'audio' | 'piece'>): (percent: number) => void {
  const report = everyTwoSeconds((percent) => {
    savePercent(deps.pool, job, nameOfEarly(job.name), percent).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'progress could not be written'),
    );
  });
  return (percent) => {
    job.progress(percent);
    report(percent);
  };
}
