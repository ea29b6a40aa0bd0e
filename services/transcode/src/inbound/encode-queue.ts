/** The door through which units of the encode stage come: sound, cutting, pieces, assembly. */
import { withTransaction, type PoolClient } from '@vds/chassis/database/database';
import { AppError, messageOf } from '@vds/chassis/errors';
import { addToOutbox } from '@vds/chassis/database/outbox';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import type { Job, Queue } from '@vds/chassis/work/work';
import { attemptPrefix, playlistName, unitFolder } from '../domain/hls/object-keys.ts';
import { durationMs, type TitlePlan } from '../domain/plan/title-plan.ts';
import { assembleUnit, pieceUnits, type UnitPayload } from '../domain/plan/units.ts';
import { copyName, cutTitle } from '../domain/units/cut-title.ts';
import { encodeAudio } from '../domain/units/encode-audio.ts';
import { encodePiece } from '../domain/units/encode-piece.ts';
import { cutPorts, encodePorts, type EncodeDeps } from '../outbound/job-ports.ts';
import { enqueueUnits, startTitle } from '../outbound/encode-units.ts';
import { publishAudio, publishProgressed } from '../outbound/publisher.ts';
import { advanceStage, readStage, type StageKey, type StageRow } from '../outbound/stages.ts';
import { findPlan, readMade, saveMade, savePercent, savePlan } from '../outbound/titles.ts';
import { assemble } from './assemble.ts';
import { failStage } from './failing.ts';
import { begin, inspect, stageOf } from './inspect-queue.ts';
import type { Deps } from './deps.ts';

/** A claimed unit of a title that is still wanted. */
type Unit = {
  readonly deps: Deps;
  readonly job: Job;
  readonly key: StageKey;
  readonly title: StageRow;
  readonly plan: TitlePlan;
  readonly payload: UnitPayload;
  /** Below the attempt. */
  readonly folder: string;
};

const sayEveryMs = 2_000;

export function encodeQueue(deps: Deps, slots: number): Queue {
  return {
    slots,
    run: (job) => perform(deps, job).catch(failPermanently(job)),
    failed: (client, job, error) => failStage(client, stageOf(job, 'encode'), error),
  };
}

async function perform(deps: Deps, job: Job): Promise<void> {
  const key = stageOf(job, 'encode');
  const plan = await findPlan(deps.pool, key);
  const title = await begin(deps, key, async (client) => {
    if (plan && !plan.facts.audio) await addToOutbox(client, [publishAudio(key, '')]);
  });
  if (!title) return job.complete();
  const payload = job.payload as UnitPayload;
  if (payload.kind === 'plan') return replan(deps, job, title);
  if (!plan) throw new AppError('INTERNAL', 'the title has no plan');
  const unit = { deps, job, key, title, plan, payload, folder: unitFolder(job.unit, job.fence) };
  await { audio, cut, piece, assemble: () => assemble(deps, job, title, plan, unit.folder) }[payload.kind](unit);
}

async function audio(unit: Unit): Promise<void> {
  const { plan, title, folder, key } = unit;
  const made = await atDesk(unit, (desk) => encodeAudio(encodePorts(desk, title), plan, folder));
  const playlist = `${attemptPrefix(key.videoId, key.attempt)}${folder}/a/${playlistName}`;
  await keep(unit, made, (client) => addToOutbox(client, [publishAudio(key, playlist)]));
}

function atDesk<T>(unit: Unit, work: (desk: EncodeDeps) => Promise<T>): Promise<T> {
  const { deps, job, plan, folder } = unit;
  return withScratch(deps.scratchDir, 'transcode', (scratch) =>
    work({
      ...deps,
      scratch,
      signal: job.signal,
      folder,
      progress: reporter(unit),
      // Far beyond any real encoding: it ends what hangs, the stage's own deadline is its conductor's.
      timeoutMs: 900_000 + durationMs(plan.timeline) * 60,
    }),
  );
}

/** Notes progress at most every two seconds. */
function reporter(unit: Unit): (percent: number) => void {
  let written = 0;
  return (percent) => {
    unit.job.progress(percent);
    if (Date.now() - written < sayEveryMs) return;
    written = Date.now();
    noteProgress(unit, percent).catch((error: unknown) =>
      unit.deps.log.warn({ reason: messageOf(error) }, 'progress could not be written down'),
    );
  };
}

/** Writes down how far a unit is, and says it when the stage as a whole has got further. */
export async function noteProgress({ deps, job, key }: Unit, percent: number): Promise<void> {
  await withTransaction(deps.pool, async (client) => {
    // The stage before its parts, as in `keep`.
    await readStage(client, key, true);
    await savePercent(client, key, job.unit, percent);
    const all = await advanceStage(client, key, sayEveryMs);
    if (all !== undefined) await addToOutbox(client, [publishProgressed(key, all)]);
  });
  deps.wake();
}

/** Keeps what was made; who makes the last part has the title assembled. */
export function keep(
  unit: Unit,
  made: unknown,
  also: (client: PoolClient) => Promise<void> = async () => {},
): Promise<void> {
  return unit.job.complete(async (client) => {
    const { key, title, plan, job } = unit;
    // One at a time, or two last parts would each see the other one missing.
    await readStage(client, key, true);
    const left = await saveMade(client, key, job.unit, made);
    await also(client);
    if (left === 0) await enqueueUnits(client, title, plan, [assembleUnit(job.unit === 'whole')]);
  });
}

async function replan(deps: Deps, job: Job, title: StageRow): Promise<void> {
  const plan = await inspect(deps, job, title);
  await job.complete(async (client) => {
    await savePlan(client, title, plan);
    await startTitle(client, title, plan);
  });
}

async function cut(unit: Unit): Promise<void> {
  const { plan, title, folder } = unit;
  await atDesk(unit, (desk) => cutTitle(cutPorts(desk, title), plan));
  await keep(unit, { folder }, (client) => enqueueUnits(client, title, plan, pieceUnits(plan)));
}

async function piece(unit: Unit): Promise<void> {
  const { deps, plan, title, folder, key, payload } = unit;
  const index = payload.index ?? 0;
  const cutting = (await readMade(deps.pool, key)).get('cut') as { readonly folder: string } | undefined;
  const copied = cutting && `${attemptPrefix(key.videoId, key.attempt)}${cutting.folder}/${copyName(index)}`;
  const made = await atDesk(unit, (desk) =>
    encodePiece(encodePorts(desk, title, copied), plan, index, folder, deps.effort),
  );
  await keep(unit, made);
}

/** A tool that ends with an error twice on the same input will do so for ever. */
function failPermanently(job: Job) {
  return (error: unknown) => {
    if (error instanceof AppError && error.reason === 'tool_failed' && job.tries >= 2)
      throw new AppError('INVALID_ARGUMENT', error.message, { reason: 'transcode_failed', cause: error });
    throw error;
  };
}
