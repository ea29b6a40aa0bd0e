/** Puts the plan of more of a source, or of all of it, in the place of a provisional one. */
import type { PoolClient } from '@vds/chassis/database/database';
import { addToOutbox, outgoing } from '@vds/chassis/database/outbox';
import type { StageHandle } from '@vds/chassis/stage/define-stage';
import { attemptPrefix } from '@vds/chassis/objects/keys';
import { listJobs } from '@vds/chassis/work/job-rows';
import { events, type stageEvents } from '@vds/proto/events';
import { playlistName, textsName } from '../domain/object-keys.ts';
import type { JobResults } from '../domain/plan/job-results.ts';
import { keptJobs } from '../domain/plan/kept-jobs.ts';
import {
  allJobs,
  hasTexts,
  isOfRest,
  startableJobs,
  withCosts,
  type EncodeJob,
  type PlannedJob,
} from '../domain/plan/encode-jobs.ts';
import { durationMs, type EncodePlan } from '../domain/plan/encode-plan.ts';
import {
  addResults,
  findMissing,
  findPlan,
  readResults,
  removeResults,
  savePlan,
  type AttemptKey,
  type SavedPlan,
} from '../outbound/encode-rows.ts';
import type { StoredSource } from '../outbound/source-parts.ts';

export type EncodeHandle = StageHandle<EncodeJob, typeof stageEvents.encode>;

/**
 * Confirms a plan, and begins every job that has no result. Results of the provisional one stay where both make the same
 * of the same source.
 * @param encode the encode stage of the attempt, which may not have been requested yet
 * @returns whether results were discarded
 */
export async function confirmPlan(
  client: PoolClient,
  encode: EncodeHandle,
  key: AttemptKey,
  plan: EncodePlan,
  { sourceKey, sourceBytes }: StoredSource,
): Promise<boolean> {
  const isOpen = await encode.replaceRequest(client, { sourceKey, sourceBytes, durationMs: durationMs(plan.timeline) });
  const discarded = await replacePlan(client, key, { plan, sourceKey, provisional: false });
  const isReplaced = discarded.length > 0;
  if (!isOpen) return isReplaced;
  await encode.remove(client, discarded, true);
  // Those that failed while the plan was provisional, or yielded nothing, are begun anew.
  await addResults(client, key, allJobs(plan));
  await encode.remove(client, ['inspect-head', 'await-inspection', ...(await findMissing(client, key))], false);
  await startConfirmed(client, encode, key, plan);
  return isReplaced;
}

/** Saves a plan in the place of a provisional one, under the stage's lock; returns the jobs whose results are discarded. */
async function replacePlan(
  client: PoolClient,
  key: AttemptKey,
  after: Pick<SavedPlan, 'plan' | 'sourceKey' | 'provisional'>,
): Promise<string[]> {
  const before = await findPlan(client, key);
  const isSameSource = before?.sourceKey === after.sourceKey;
  const kept = isSameSource ? keptJobs(before.plan, after.plan) : new Set<string>();
  if (!(await savePlan(client, key, after))) return [];
  await removeResults(client, key, kept);
  const begun = before ? allJobs(before.plan).filter(({ payload }) => !isOfRest(before.plan, payload)) : [];
  return begun.flatMap(({ name }) => (kept.has(name) ? [] : [name]));
}

/** Extends a provisional plan by what has become known of its source, unless it was confirmed meanwhile. */
export async function extendPlan(
  client: PoolClient,
  encode: EncodeHandle,
  key: AttemptKey,
  plan: EncodePlan,
  { sourceKey }: StoredSource,
): Promise<void> {
  await encode.lock(client);
  if ((await findPlan(client, key))?.provisional === false) return;
  await encode.remove(client, await replacePlan(client, key, { plan, sourceKey, provisional: true }), true);
}

/** Begins every job of a confirmed plan that has no result. */
export async function startConfirmed(
  client: PoolClient,
  encode: EncodeHandle,
  key: AttemptKey,
  plan: EncodePlan,
): Promise<void> {
  await addResults(client, key, allJobs(plan));
  const missing = await findMissing(client, key);
  await beginJobs(client, encode, key, plan, startableJobs(plan, missing));
  await publishAudio(client, key, plan);
}

/**
 * Enqueues jobs that have no row yet, under the stage's lock: an insert waits for a transaction that ends its namesake.
 * @param isProvisional whether the plan is
 */
export async function beginJobs(
  client: PoolClient,
  encode: EncodeHandle,
  { videoId, attempt }: AttemptKey,
  plan: EncodePlan,
  jobs: readonly PlannedJob[],
  isProvisional = false,
): Promise<void> {
  const known = new Set((await listJobs(client, { stage: 'encode', videoId, attempt })).map(({ name }) => name));
  const added = withCosts(
    jobs.filter(({ name }) => !known.has(name)),
    plan,
  );
  const mark = (payload: EncodeJob): EncodeJob => ('index' in payload ? { ...payload, isProvisional: true } : payload);
  await encode.enqueue(client, isProvisional ? added.map((job) => ({ ...job, payload: mark(job.payload) })) : added);
}

/** Publishes what captions are made from, once all of that is there: the sound, and the captions inside the source. */
export async function publishAudio(
  client: PoolClient,
  { videoId, attempt }: AttemptKey,
  plan: EncodePlan,
): Promise<void> {
  const { audio, texts } = await readResults(client, { videoId, attempt });
  if ((plan.probe.audio && !audio) || (hasTexts(plan) && !texts)) return;
  const payload = { videoId, attempt, ...speechOf(attemptPrefix(videoId, attempt), { audio, texts }) };
  const id = `${events.audioCompleted.subject}/${videoId}/${attempt}`;
  await addToOutbox(client, [outgoing(events.audioCompleted, payload, id)]);
}

/** What captions are made from, as the events name it. @param prefix of the attempt */
export function speechOf(prefix: string, { audio, texts }: Pick<JobResults, 'audio' | 'texts'>) {
  const textLanguages = [...(texts?.languages ?? [])];
  return {
    hasAudio: audio !== null,
    audioPlaylistKey: audio ? `${prefix}${audio.folder}/a/${playlistName}` : '',
    textsKey: texts && textLanguages.length > 0 ? `${prefix}${texts.folder}/${textsName}` : '',
    textLanguages,
  };
}
