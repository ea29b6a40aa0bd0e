/** Rows of titles, and of what was heard in their pieces. */
import type { Executor } from '@vds/chassis/database/database';
import { notFound } from '@vds/chassis/errors';
import type { TranscribedChunk } from '../domain/transcription/join-words.ts';
import type { CaptionJob } from '../domain/caption-job.ts';
import type { TrackState } from '../domain/track.ts';
import type { PrismaClient } from './prisma.ts';

export type TitleKey = Pick<CaptionJob, 'videoId' | 'attempt'>;

const columns = `video_id AS "videoId", attempt, publisher_id AS "publisherId", language, duration_ms AS "durationMs",
  has_audio AS "hasAudio", audio_playlist_key AS "audioPlaylistKey", stage_revision AS "stageRevision", round, state,
  making, chunks, chunks_left AS "chunksLeft", transcript_digest AS "transcriptDigest"`;

export type SavedTracks = TitleKey & { readonly state: TrackState; readonly updatedAt: Date };

/** Reads a title; `lock` makes other transactions on it wait. */
export async function readTitle(
  client: Executor,
  { videoId, attempt }: TitleKey,
  lock = false,
): Promise<CaptionJob | undefined> {
  const { rows } = await client.query<CaptionJob>(
    `SELECT ${columns} FROM titles WHERE video_id = $1 AND attempt = $2${lock ? ' FOR UPDATE' : ''}`,
    [videoId, attempt],
  );
  return rows[0];
}

/** The title of a video's latest attempt, locked. */
export async function lockLatest(client: Executor, videoId: string): Promise<CaptionJob | undefined> {
  const { rows } = await client.query<CaptionJob>(
    `SELECT ${columns} FROM titles WHERE video_id = $1 ORDER BY attempt DESC LIMIT 1 FOR UPDATE`,
    [videoId],
  );
  return rows[0];
}

/** The latest attempt of every video that changed within so many milliseconds. */
export async function latestSince(client: Executor, withinMs: number): Promise<TitleKey[]> {
  const { rows } = await client.query<TitleKey>(
    `SELECT DISTINCT ON (video_id) video_id AS "videoId", attempt FROM titles
     WHERE updated_at > now() - $1 * interval '1 millisecond' ORDER BY video_id, attempt DESC`,
    [withinMs],
  );
  return rows;
}

/** Writes a title as it is now, whether it was there before or not. */
export async function saveTitle(client: Executor, title: CaptionJob): Promise<void> {
  await client.query(
    `INSERT INTO titles (video_id, attempt, publisher_id, language, duration_ms, has_audio, audio_playlist_key,
       stage_revision, round, state, making, chunks, chunks_left, transcript_digest)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     ON CONFLICT (video_id, attempt) DO UPDATE SET publisher_id = excluded.publisher_id, language = excluded.language,
       duration_ms = excluded.duration_ms, has_audio = excluded.has_audio,
       audio_playlist_key = excluded.audio_playlist_key, stage_revision = excluded.stage_revision,
       round = excluded.round, state = excluded.state, making = excluded.making, chunks = excluded.chunks,
       chunks_left = excluded.chunks_left, transcript_digest = excluded.transcript_digest, updated_at = now()`,
    [
      title.videoId,
      title.attempt,
      title.publisherId,
      title.language,
      title.durationMs,
      title.hasAudio,
      title.audioPlaylistKey,
      title.stageRevision,
      title.round,
      JSON.stringify(title.state),
      JSON.stringify(title.making),
      title.chunks,
      title.chunksLeft,
      title.transcriptDigest,
    ],
  );
}

/** @throws AppError NOT_FOUND before captions was asked for it and after a purge */
export async function findTracks(prisma: PrismaClient, videoId: string): Promise<SavedTracks> {
  const row = await prisma.title.findFirst({ where: { videoId }, orderBy: { attempt: 'desc' } });
  if (!row) throw notFound(`a caption track of ${videoId}`);
  return { videoId, attempt: row.attempt, state: row.state as unknown as TrackState, updatedAt: row.updatedAt };
}

/** Keeps what was heard in one piece of a round. */
export async function savePiece(
  client: Executor,
  { videoId, attempt }: TitleKey,
  round: number,
  index: number,
  { startMs, endMs, words }: TranscribedChunk,
): Promise<void> {
  await client.query(
    `INSERT INTO pieces (video_id, attempt, round, piece, start_ms, end_ms, words) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (video_id, attempt, round, piece) DO UPDATE SET words = excluded.words`,
    [videoId, attempt, round, index, Math.round(startMs), Math.round(endMs), JSON.stringify(words)],
  );
}

/** What was heard in all pieces of a round, in order. */
export async function readPieces(
  client: Executor,
  { videoId, attempt }: TitleKey,
  round: number,
): Promise<TranscribedChunk[]> {
  const { rows } = await client.query<TranscribedChunk>(
    `SELECT start_ms AS "startMs", end_ms AS "endMs", words FROM pieces
     WHERE video_id = $1 AND attempt = $2 AND round = $3 ORDER BY piece`,
    [videoId, attempt, round],
  );
  return rows;
}

/** Forgets what was heard, once it is laid: the transcript holds it. */
export async function removePieces(client: Executor, { videoId, attempt }: TitleKey): Promise<void> {
  await client.query('DELETE FROM pieces WHERE video_id = $1 AND attempt = $2', [videoId, attempt]);
}

/** Removes what is kept of a video before an attempt; 0: all of it. */
export async function removeTitles(client: Executor, videoId: string, keepAttempt: number): Promise<void> {
  for (const table of ['titles', 'pieces'])
    await client.query(`DELETE FROM ${table} WHERE video_id = $1 AND ($2 = 0 OR attempt < $2)`, [videoId, keepAttempt]);
}
