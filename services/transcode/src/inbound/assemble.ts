/** The last jobs of sound and of encode: verify all results, and assemble them into one rendition and one video. */
import { buffer } from 'node:stream/consumers';
import { AppError } from '@vds/chassis/errors';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { attemptPrefix } from '@vds/chassis/objects/keys';
import { ladderDocument } from '@vds/proto/documents/ladder';
import { buildLadder, outputPaths, writeAudioPlaylist, type OutputFile } from '../domain/hls/ladder-document.ts';
import { immutable } from '../domain/object-keys.ts';
import { unjoinable, verifyOutput, verifySound, withoutUnequal } from '../domain/hls/verify-output.ts';
import { copiedName } from '../domain/jobs/copy-piece.ts';
import { storedBytes, type EncodedPiece, type EncodedSound, type JoinedSound } from '../domain/plan/job-results.ts';
import { keptJobs } from '../domain/plan/kept-jobs.ts';
import { audioJob, pieceJobs, soundJobs, withCosts, type PlannedJob } from '../domain/plan/encode-jobs.ts';
import { asOnePiece, withWholeSound, type EncodePlan } from '../domain/plan/encode-plan.ts';
import { LISTED_BYTES } from '../domain/source/stored-packets.ts';
import {
  addResults,
  readResults,
  removeResults,
  saveLadder,
  savePlan,
  type SavedPlan,
} from '../outbound/encode-rows.ts';
import { speechOf } from './confirm-plan.ts';
import type { Deps, EncodeStageJob } from './deps.ts';

/** @param folder of the job, below the attempt */
export async function assemble(deps: Deps, job: EncodeStageJob, saved: SavedPlan, folder: string): Promise<void> {
  const { plan } = saved;
  const { videoId, attempt } = job;
  const { fitting: results, leftOut } = withoutUnequal(await readResults(deps.pool, job));
  if (leftOut > 0) deps.log.warn({ renditions: leftOut }, 'renditions left out that do not end with the video');
  const prefix = attemptPrefix(videoId, attempt);
  try {
    await checkCopied(deps, prefix, plan, results.pieces);
    verifyOutput(plan, results);
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== unjoinable) throw error;
    deps.log.warn({ reason: error.message }, 'pieces not joinable: video encoded as one');
    const whole = asOnePiece(plan);
    await replan(job, saved, whole, pieceJobs(whole, true));
    deps.encodedAsOne.inc();
    return;
  }
  await failpoint('transcode.results-verified');
  const { document, files: named } = buildLadder({ videoId, attempt, plan }, folder, results);
  const ladder = {
    path: `${folder}/ladder.json`,
    body: ladderDocument.write(document),
    contentType: 'application/json',
  };
  const files = [...named, ladder];
  await store(deps, job, prefix, files);
  await checkStored(deps, prefix, [...outputPaths(results), ...files.map(({ path }) => path)]);
  await failpoint('transcode.ladder-stored');
  const ladderKey = prefix + ladder.path;
  const thumbnailKey = prefix + document.thumbnail.path;
  const made = { ladderKey, thumbnailKey, durationMs: document.durationMs, storedBytes: storedBytes(results) };
  const result = { ...made, ...speechOf(prefix, results) };
  await job.complete(async (client) => {
    if (await job.stage.complete(client, result))
      await saveLadder(client, { videoId, attempt, document, ladderKey, thumbnailKey });
  });
}

/**
 * Verifies the sound, and writes its playlist.
 * @param folder of the job, below the attempt
 * @returns undefined where the sound is encoded anew instead
 */
export async function joinSound(
  deps: Deps,
  job: EncodeStageJob,
  saved: SavedPlan,
  folder: string,
): Promise<JoinedSound | undefined> {
  const { plan } = saved;
  const { sound } = await readResults(deps.pool, job);
  const prefix = attemptPrefix(job.videoId, job.attempt);
  try {
    await checkCopied(deps, prefix, plan, sound);
    verifySound(plan, sound);
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== unjoinable || !plan.sound[0]?.part) throw error;
    deps.log.warn({ reason: error.message }, 'chunks of sound not joinable: sound encoded as one');
    const whole = withWholeSound(plan);
    await replan(job, saved, whole, [...soundJobs(whole), ...audioJob(whole)]);
    return undefined;
  }
  await store(deps, job, prefix, [writeAudioPlaylist(plan, folder, sound)]);
  return { kind: 'audio', folder };
}

/**
 * Pieces that were made before the source was complete must be made of the packets that all of it turned out to have.
 * @throws AppError with reason `unjoinable`
 */
async function checkCopied(
  { media }: Deps,
  prefix: string,
  { packetsKey }: EncodePlan,
  parts: readonly (EncodedPiece | EncodedSound)[],
): Promise<void> {
  for (const { kind, index, folder, copied } of parts) {
    if (!copied) continue;
    const length = copied.count * LISTED_BYTES;
    const made = await media.getBytes(`${prefix}${folder}/${copiedName}`, length);
    const range = { start: copied.from * LISTED_BYTES, length };
    const known = packetsKey === undefined ? undefined : await buffer(await media.getStream(packetsKey, range));
    if (!known?.equals(made))
      throw new AppError('INTERNAL', `${kind} ${index} is not of the complete source`, { reason: unjoinable });
  }
}

/** Plans pictures or sound again as one; leftovers of the parts are removed by the purge after the completion. */
function replan(job: EncodeStageJob, saved: SavedPlan, whole: EncodePlan, jobs: readonly PlannedJob[]): Promise<void> {
  return job.complete(async (client) => {
    await job.stage.lock(client);
    await savePlan(client, job, { ...saved, plan: whole });
    await removeResults(client, job, keptJobs(saved.plan, whole));
    await addResults(client, job, jobs);
    const first = jobs.filter(({ payload }) => payload.kind !== 'audio');
    await job.stage.enqueue(client, withCosts(first, whole));
  });
}

async function store(
  { media }: Deps,
  job: EncodeStageJob,
  prefix: string,
  files: readonly OutputFile[],
): Promise<void> {
  for (const { path, body, contentType } of files) {
    job.signal.throwIfAborted();
    await media.putBytes(`${prefix}${path}`, body, { contentType, cacheControl: immutable });
  }
}

/** @throws AppError NOT_FOUND while a file of the ladder is missing, or not listed yet */
async function checkStored({ media }: Deps, prefix: string, wanted: readonly string[]): Promise<void> {
  const stored = new Set(await media.list(prefix));
  const missing = wanted.filter((path) => !stored.has(`${prefix}${path}`));
  if (missing.length > 0) throw new AppError('NOT_FOUND', `${missing.length} files are missing, such as ${missing[0]}`);
}
