/** Rows of captions in progress, and of what was transcribed of each chunk. */
import type { Executor } from '@vds/chassis/database/database';
import { notFound } from '@vds/chassis/errors';
import type { SavedChunk } from '../domain/jobs/render-spoken.ts';
import type { CaptionJob } from '../domain/caption-job.ts';
import type { TrackState } from '../domain/track.ts';

export type AttemptKey = Pick<CaptionJob, 'videoId' | 'attempt'>;

const columns = `video_id AS "videoId", attempt, publisher_id AS "publisherId", language, duration_ms AS "durationMs",
  has_audio AS "hasAudio", audio_playlist_key AS "audioPlaylistKey", texts_key AS "textsKey",
  text_languages AS "textLanguages", sound_cues AS "soundCues", names, stage_revision AS "stageRevision", generation, state,
  in_progress AS "inProgress", chunks, chunks_left AS "chunksLeft", transcript_digest AS "transcriptDigest",
  fixed_names AS "fixedNames"`;

export type SavedTracks = AttemptKey & { readonly state: TrackState; readonly updatedAt: Date };

/** Reads the captions of an attempt; `lock` blocks other transactions on them. */
export async function readJob(
  client: Executor,
  { videoId, attempt }: AttemptKey,
  lock = false,
): Promise<CaptionJob | undefined> {
  const { rows } = await client.query<CaptionJob>(
    `SELECT ${columns} FROM caption_jobs WHERE video_id = $1 AND attempt = $2${lock ? ' FOR UPDATE' : ''}`,
    [videoId, attempt],
  );
  return rows[0];
}

/** Reads the captions of a video's latest attempt. */
export async function readLatest(client: Executor, videoId: string): Promise<CaptionJob | undefined> {
  const { rows } = await client.query<CaptionJob>(
    `SELECT ${columns} FROM caption_jobs WHERE video_id = $1 ORDER BY attempt DESC LIMIT 1`,
    [videoId],
  );
  return rows[0];
}

/** @throws AppError NOT_FOUND before captions were requested and after a purge */
export async function findLatest(client: Executor, videoId: string): Promise<CaptionJob> {
  const job = await readLatest(client, videoId);
  if (!job) throw notFound(`a caption track of ${videoId}`);
  return job;
}

/** Inserts or updates captions. */
export async function saveJob(client: Executor, job: CaptionJob): Promise<void> {
  await client.query(
    `INSERT INTO caption_jobs (video_id, attempt, publisher_id, language, duration_ms, has_audio, audio_playlist_key,
       stage_revision, generation, state, in_progress, chunks, chunks_left, transcript_digest, texts_key, text_languages, sound_cues, names,
       fixed_names)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
     ON CONFLICT (video_id, attempt) DO UPDATE SET publisher_id = excluded.publisher_id, language = excluded.language,
       duration_ms = excluded.duration_ms, has_audio = excluded.has_audio,
       audio_playlist_key = excluded.audio_playlist_key, texts_key = excluded.texts_key,
       text_languages = excluded.text_languages, sound_cues = excluded.sound_cues, names = excluded.names, stage_revision = excluded.stage_revision,
       generation = excluded.generation, state = excluded.state, in_progress = excluded.in_progress, chunks = excluded.chunks,
       chunks_left = excluded.chunks_left, transcript_digest = excluded.transcript_digest, fixed_names = excluded.fixed_names,
       updated_at = now()`,
    [
      job.videoId,
      job.attempt,
      job.publisherId,
      job.language,
      job.durationMs,
      job.hasAudio,
      job.audioPlaylistKey,
      job.stageRevision,
      job.generation,
      JSON.stringify(job.state),
      JSON.stringify(job.inProgress),
      job.chunks,
      job.chunksLeft,
      job.transcriptDigest,
      job.textsKey,
      [...job.textLanguages],
      job.soundCues,
      [...job.names],
      [...job.fixedNames],
    ],
  );
}

/** @throws AppError NOT_FOUND before captions were requested and after a purge */
export async function findTracks(client: Executor, videoId: string): Promise<SavedTracks> {
  const { rows } = await client.query<SavedTracks>(
    `SELECT video_id AS "videoId", attempt, state, updated_at AS "updatedAt" FROM caption_jobs
     WHERE video_id = $1 ORDER BY attempt DESC LIMIT 1`,
    [videoId],
  );
  if (!rows[0]) throw notFound(`a caption track of ${videoId}`);
  return rows[0];
}

const MAX_CORRECTED = 50;

/** What the staff has spelt anew in captions of a publisher, the last corrections first. */
export async function namesFixedFor(client: Executor, publisherId: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ names: string[] }>(
    `SELECT fixed_names AS names FROM caption_jobs WHERE publisher_id = $1 AND fixed_names <> '{}'
     ORDER BY updated_at DESC LIMIT $2`,
    [publisherId, MAX_CORRECTED],
  );
  return rows.flatMap(({ names }) => names);
}

/** The revision of the latest attempt's tracks, by video. */
export async function tracksRevisions(
  client: Executor,
  videoIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ videoId: string; revision: number }>(
    `SELECT DISTINCT ON (video_id) video_id AS "videoId", (state ->> 'revision')::int AS revision FROM caption_jobs
     WHERE video_id = ANY($1) ORDER BY video_id, attempt DESC`,
    [videoIds],
  );
  return new Map(rows.map(({ videoId, revision }) => [videoId, revision]));
}

/** Saves the words of one chunk of a generation. */
export async function saveChunk(
  client: Executor,
  { videoId, attempt }: AttemptKey,
  generation: number,
  index: number,
  { startMs, endMs, words, english, sounds }: SavedChunk,
): Promise<void> {
  await client.query(
    `INSERT INTO transcribed_chunks (video_id, attempt, generation, chunk, start_ms, end_ms, words, english, sounds)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (video_id, attempt, generation, chunk)
       DO UPDATE SET words = excluded.words, english = excluded.english, sounds = excluded.sounds`,
    [
      ...[videoId, attempt, generation, index, Math.round(startMs), Math.round(endMs)],
      ...[JSON.stringify(words), english && JSON.stringify(english), JSON.stringify(sounds)],
    ],
  );
}

/** Reads the words of all chunks of a generation, in order. */
export async function readChunks(
  client: Executor,
  { videoId, attempt }: AttemptKey,
  generation: number,
): Promise<SavedChunk[]> {
  const { rows } = await client.query<SavedChunk>(
    `SELECT start_ms AS "startMs", end_ms AS "endMs", words, english, sounds FROM transcribed_chunks
     WHERE video_id = $1 AND attempt = $2 AND generation = $3 ORDER BY chunk`,
    [videoId, attempt, generation],
  );
  return rows;
}

/** Removes the words once they are rendered: the transcript holds them. */
export async function removeChunks(client: Executor, { videoId, attempt }: AttemptKey): Promise<void> {
  await client.query('DELETE FROM transcribed_chunks WHERE video_id = $1 AND attempt = $2', [videoId, attempt]);
}
