/** What a service keeps of videos: for comparison with catalog after a restore, and for the operator. Read-only. */
import type { Pool } from '../database/database.ts';
import { AppError, classify, messageOf } from '../errors.ts';
import { attemptPrefix, attemptOf, videoPrefix } from '../objects/keys.ts';
import type { Objects } from '../objects/objects.ts';
import type { StageState } from './stage-rows.ts';

export type KeptVideos = {
  readonly pool: Pool;
  /** The bucket of the service; omitted by a service that keeps only rows. */
  readonly objects?: Objects;
  /**
   * Keys of all objects that a document in use names, itself among them; by default the document alone.
   * @throws AppError NOT_FOUND or INVALID_ARGUMENT where it cannot be read
   */
  readonly namedBy?: (key: string) => Promise<readonly string[]>;
  /** Numbers of the states that the service publishes apart from its stages. */
  readonly stateRevisions?: (videoIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
};
export type VideoInUse = { readonly videoId: string; readonly keys: readonly string[] };
export type VideoReport = {
  readonly videoId: string;
  readonly tombstoned: boolean;
  readonly hasData: boolean;
  readonly stages: readonly KeptStage[];
  /** Keys in use that do not exist; at most `MAX_FAULTS`. */
  readonly missing: readonly string[];
  /** Documents in use that exist, but cannot be read; at most `MAX_FAULTS`. */
  readonly unreadable: readonly UnreadableDocument[];
  readonly stateRevision: number;
};
/** `reason` says what is wrong with it: it is malformed, or of a later version than this one. */
export type UnreadableDocument = { readonly key: string; readonly reason: string };
type KeptStage = {
  readonly stage: string;
  readonly attempt: number;
  readonly revision: number;
  readonly state: StageState;
};

const MAX_FAULTS = 10;
/** Videos whose objects are checked at a time. */
const AT_A_TIME = 8;

/** Ids of videos with rows, a tombstone or objects, ascending, after `after`. */
export async function listKnownVideos(
  { pool, objects }: KeptVideos,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const ofTable = (table: string): string =>
    `(SELECT DISTINCT video_id FROM chassis.${table} WHERE video_id > $1 ORDER BY video_id LIMIT $2)`;
  const text = `SELECT video_id FROM (${['stages', 'jobs', 'tombstones'].map(ofTable).join(' UNION ')}) AS known
    ORDER BY video_id LIMIT $2`;
  const { rows } = await pool.query<{ video_id: string }>(text, [after, limit]);
  // `0` follows `/`: so the listing starts after all objects of `after`.
  const from = after === '' ? '' : `videos/${after}0`;
  const stored = (await objects?.listFolders('videos/', from, limit)) ?? [];
  const ids = new Set([...rows.map((row) => row.video_id), ...stored.filter((id) => id > after)]);
  return [...ids].toSorted().slice(0, limit);
}

/** @param objects true: also checks every object that the documents in use name */
export async function describeVideos(
  kept: KeptVideos,
  videos: readonly VideoInUse[],
  objects: boolean,
): Promise<readonly VideoReport[]> {
  const ids = videos.map(({ videoId }) => videoId);
  const [rows, revisions] = await Promise.all([readRows(kept.pool, ids), kept.stateRevisions?.(ids)]);
  const reports: VideoReport[] = [];
  for (let at = 0; at < videos.length; at += AT_A_TIME)
    reports.push(
      ...(await Promise.all(
        videos.slice(at, at + AT_A_TIME).map(async ({ videoId, keys }) => {
          const { tombstoned, jobs, stages } = rows.get(videoId) ?? { tombstoned: false, jobs: false, stages: [] };
          const hasRows = stages.length > 0 || jobs;
          const hasData = hasRows || (await kept.objects?.isEmpty(videoPrefix(videoId))) === false;
          const faults = await checkKeys(kept, keys, objects);
          return { videoId, tombstoned, hasData, stages, ...faults, stateRevision: revisions?.get(videoId) ?? 0 };
        }),
      )),
    );
  return reports;
}

type Rows = { readonly tombstoned: boolean; readonly jobs: boolean; readonly stages: readonly KeptStage[] };

async function readRows(pool: Pool, ids: readonly string[]): Promise<ReadonlyMap<string, Rows>> {
  const { rows } = await pool.query<Rows & { videoId: string }>(
    `SELECT wanted.video AS "videoId",
       EXISTS (SELECT FROM chassis.tombstones t WHERE t.video_id = wanted.video) AS tombstoned,
       EXISTS (SELECT FROM chassis.jobs j WHERE j.video_id = wanted.video AND j.stage <> 'purge') AS jobs,
       coalesce((SELECT json_agg(json_build_object('stage', stage, 'attempt', attempt, 'revision', revision,
         'state', state)) FROM chassis.stages s WHERE s.video_id = wanted.video), '[]') AS stages
     FROM unnest($1::text[]) AS wanted (video)`,
    [ids],
  );
  return new Map(rows.map(({ videoId, ...row }) => [videoId, row]));
}

type Faults = Pick<VideoReport, 'missing' | 'unreadable'>;

/** @param all true: checks everything that the documents name, else whether the documents exist */
async function checkKeys(
  kept: Pick<KeptVideos, 'objects' | 'namedBy'>,
  keys: readonly string[],
  all: boolean,
): Promise<Faults> {
  const { objects } = kept;
  const missing: string[] = [];
  const unreadable: UnreadableDocument[] = [];
  for (const key of keys) {
    if (!objects || missing.length + unreadable.length >= MAX_FAULTS) break;
    if (all) {
      const checked = await checkDocument(kept, key);
      missing.push(...checked.missing);
      unreadable.push(...checked.unreadable);
    } else if (!(await objects.stat(key).then(() => true, isAbsent))) missing.push(key);
  }
  return { missing: missing.slice(0, MAX_FAULTS), unreadable };
}

/**
 * Whether a document can be read and everything it names exists. One that exists and cannot be read is not a lost
 * object: it may be of a later version that was rolled back, and its video complete.
 * @returns also how many objects were looked for
 */
export async function checkDocument(
  { objects, namedBy }: Pick<KeptVideos, 'objects' | 'namedBy'>,
  key: string,
): Promise<Faults & { readonly objects: number }> {
  if (!objects) return { objects: 0, missing: [], unreadable: [] };
  try {
    const named = namedBy ? await namedBy(key) : [key];
    return { objects: named.length, missing: await lostOf(objects, named), unreadable: [] };
  } catch (error) {
    if (classify(error).missing) return { objects: 1, missing: [key], unreadable: [] };
    if (isUnreadable(error)) return { objects: 1, missing: [], unreadable: [{ key, reason: messageOf(error) }] };
    throw error;
  }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'INVALID_ARGUMENT';
}

/** False for missing or unreadable documents; every other error is thrown. */
export function isAbsent(error: unknown): false {
  if (classify(error).missing || isUnreadable(error)) return false;
  throw error;
}

/** Those of the keys that are in no listing of their attempts. */
async function lostOf(objects: Objects, keys: readonly string[]): Promise<readonly string[]> {
  const prefixes = new Set(keys.map((key) => attemptPrefix(key.split('/')[1] ?? '', attemptOf(key) ?? 0)));
  const stored = new Set((await Promise.all([...prefixes].map((prefix) => objects.list(prefix)))).flat());
  return keys.filter((key) => !stored.has(key));
}
