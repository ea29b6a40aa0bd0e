/** Units of work on their way into the queues. */
import type { Executor } from '@vds/chassis/database/database';
import { enqueue, type NewWork } from '@vds/chassis/work/work';
import type { MediaPlaylist } from '@vds/proto/documents/media-playlist';
import type { SpeechChunk } from '../domain/transcription/chunks.ts';
import { unitFolder } from '../domain/object-keys.ts';
import type { CaptionJob } from '../domain/caption-job.ts';

/** A unit of the queue `hear`. */
export type TranscriptionJob = { readonly round: number } & (
  | { readonly kind: 'listen' | 'lay' }
  | {
      readonly kind: 'piece';
      readonly index: number;
      readonly startMs: number;
      readonly endMs: number;
      /** Keys of the init segment and of the piece's segments. */
      readonly init: string;
      readonly segments: readonly string[];
    }
);

/** A unit of the queue `translate`. */
export type TranslationJob =
  | { readonly kind: 'translate'; readonly round: number; readonly language: string }
  | { readonly kind: 'tidy' };

type Owner = Pick<CaptionJob, 'videoId' | 'attempt' | 'publisherId' | 'durationMs'>;

export async function enqueueListening(client: Executor, title: Owner, round: number): Promise<void> {
  await enqueue(client, [unitOf(title, 'hear', `listen-${round}`, { kind: 'listen', round })]);
}

function unitOf(title: Owner, queue: string, unit: string, payload: TranscriptionJob | TranslationJob): NewWork {
  return {
    queue,
    groupKey: title.videoId,
    attempt: title.attempt,
    unit,
    tenant: title.publisherId,
    // Among one publisher's titles the shortest goes first; what others wait for goes before all pieces.
    cost: payload.kind === 'piece' || payload.kind === 'translate' ? title.durationMs / 1_000 : 0,
    payload,
  };
}

export async function enqueueRendering(client: Executor, title: Owner, round: number): Promise<void> {
  await enqueue(client, [unitOf(title, 'hear', `lay-${round}`, { kind: 'lay', round })]);
}

export async function enqueuePieces(
  client: Executor,
  title: Owner,
  round: number,
  { init }: MediaPlaylist,
  pieces: readonly SpeechChunk[],
): Promise<void> {
  const units = pieces.map(({ index, startMs, endMs, segments: own }) => {
    const segments = own.map(({ key }) => key);
    const payload: TranscriptionJob = { kind: 'piece', round, index, startMs, endMs, init, segments };
    return unitOf(title, 'hear', `piece-${round}-${index}`, payload);
  });
  await enqueue(client, units);
}

export async function enqueueTranslations(
  client: Executor,
  title: Owner,
  round: number,
  languages: readonly string[],
): Promise<void> {
  const units = languages.map((language) =>
    unitOf(title, 'translate', `translate-${round}-${language}`, { kind: 'translate', round, language }),
  );
  await enqueue(client, units);
}

/** @param cause makes the unit's name: one removal for each */
export async function enqueueTidy(client: Executor, title: Owner, cause: string, delayMs: number): Promise<void> {
  await enqueue(client, [{ ...unitOf(title, 'translate', `tidy-${cause}`, { kind: 'tidy' }), delayMs }]);
}

/** Names of units that wait or run: what lies in their folders is theirs. */
export async function jobsInProgress(
  client: Executor,
  { videoId, attempt }: Pick<CaptionJob, 'videoId' | 'attempt'>,
): Promise<string[]> {
  const { rows } = await client.query<{ unit: string }>(
    `SELECT unit FROM chassis.work WHERE group_key = $1 AND attempt = $2 AND state IN ('ready', 'running')`,
    [videoId, attempt],
  );
  return rows.map(({ unit }) => unit);
}

/**
 * Folders that tracks lay in until they were replaced, where that was within so many milliseconds.
 * @param named the folders that the tracks lie in now
 */
export async function foldersReplacedWithin(
  client: Executor,
  { videoId, attempt }: Pick<CaptionJob, 'videoId' | 'attempt'>,
  named: readonly string[],
  withinMs: number,
): Promise<string[]> {
  const { rows } = await client.query<{ unit: string; fence: number }>(
    // The first number in a unit's name is its round.
    `SELECT old.unit, old.fence FROM chassis.work old WHERE group_key = $1 AND attempt = $2 AND state = 'done'
       AND EXISTS (SELECT 1 FROM chassis.work new WHERE new.group_key = $1 AND new.attempt = $2
         AND new.unit || '.' || new.fence = ANY ($3) AND new.finished_at > now() - $4 * interval '1 millisecond'
         AND regexp_replace(new.unit, '[0-9]+', '') = regexp_replace(old.unit, '[0-9]+', ''))`,
    [videoId, attempt, named, withinMs],
  );
  return rows.map(({ unit, fence }) => unitFolder(unit, fence));
}
