/** Reads a video with the stages of its current attempt in one statement, the hottest read of the service. */
import type { Executor, Pool } from '@vds/chassis/database/database';
import type { Snapshot } from '../domain/plan.ts';
import type { StageStatus } from '../domain/stages.ts';
import type { Video } from '../domain/video.ts';

/** A snapshot with the database's clock, and the trace that the video was accepted in. */
export type Loaded = Snapshot & {
  readonly now: Date;
  readonly traceparent: string | null;
  /** Whether the publisher's budget of stored bytes is used up. */
  readonly storageSpent: boolean;
};

/** The column of each field. */
export const videoColumns: Readonly<Record<keyof Video, string>> = {
  id: 'id',
  publisherId: 'publisher_id',
  createdAt: 'created_at',
  state: 'state',
  intent: 'intent',
  held: 'held',
  attempt: 'attempt',
  version: 'version',
  updatedAt: 'updated_at',
  endedAt: 'ended_at',
  dueAt: 'due_at',
  deletedAt: 'deleted_at',
  gateClosesAt: 'gate_closes_at',
  publishedAt: 'published_at',
  playbackId: 'playback_id',
  ladderKey: 'ladder_key',
  thumbnailKey: 'thumbnail_key',
  durationMs: 'duration_ms',
  failure: 'failure',
  warnings: 'warnings',
  captions: 'captions',
  captionsRevision: 'captions_revision',
  transcriptKey: 'transcript_key',
  transcriptRevision: 'transcript_revision',
  sourceUrl: 'source_url',
  title: 'title',
  summary: 'summary',
  tags: 'tags',
  thumbnailUrl: 'thumbnail_url',
  sport: 'sport',
  category: 'category',
  languageCode: 'language_code',
};

const stageColumns = `'stage', s.stage, 'attempt', s.attempt, 'revision', s.revision,
  'inputsRevision', s.inputs_revision, 'state', s.state, 'progress', s.progress,
  'requestedAt', s.requested_at, 'startedAt', s.started_at, 'finishedAt', s.finished_at,
  'reached', s.reached, 'outputs', s.outputs, 'waiting', s.waiting`;

const select = `SELECT ${Object.entries(videoColumns)
  .map(([name, column]) => `v.${column} AS "${name}"`)
  .join(', ')}, v.traceparent, clock_timestamp() AS now,
  (SELECT json_agg(json_build_object(${stageColumns})) FROM stages s
    WHERE s.video_id = v.id AND s.attempt = v.attempt) AS stages,
  (SELECT stored_bytes >= stored_bytes_budget FROM publisher_usage u
    WHERE u.publisher_id = v.publisher_id) IS TRUE AS "storageSpent"
  FROM videos v`;

type Row = Video & Omit<Loaded, 'video' | 'stages'> & { stages: readonly JsonStage[] | null };
type JsonStage = Omit<StageStatus, 'requestedAt' | 'startedAt' | 'finishedAt'> &
  Readonly<Record<'requestedAt' | 'startedAt' | 'finishedAt', string | null>>;

/** @param publisherId if set, another publisher's video does not exist */
export async function loadSnapshot(pool: Executor, id: string, publisherId?: string): Promise<Loaded | undefined> {
  const { rows } = await pool.query<Row>(
    publisherId === undefined
      ? { name: 'catalog-snapshot', text: `${select} WHERE v.id = $1`, values: [id] }
      : {
          name: 'catalog-snapshot-of-publisher',
          text: `${select} WHERE v.id = $1 AND v.publisher_id = $2`,
          values: [id, publisherId],
        },
  );
  return rows[0] && loaded(rows[0]);
}

export async function loadSnapshots(pool: Executor, ids: readonly string[]): Promise<readonly Loaded[]> {
  const query = { name: 'catalog-snapshots', text: `${select} WHERE v.id = ANY($1)`, values: [ids] };
  return (await pool.query<Row>(query)).rows.map(loaded);
}

function loaded({ now, traceparent, storageSpent, stages, ...video }: Row): Loaded {
  return {
    video,
    now,
    traceparent,
    storageSpent,
    stages: (stages ?? []).map((stage) => ({
      ...stage,
      requestedAt: date(stage.requestedAt) ?? now,
      startedAt: date(stage.startedAt),
      finishedAt: date(stage.finishedAt),
    })),
  };
}

function date(value: string | null): Date | null {
  return value === null ? null : new Date(value);
}

/** Ids of at most 200 videos with a time that has passed, longest due first. */
export async function dueVideos(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'catalog-due',
    text: 'SELECT id FROM videos WHERE due_at <= now() ORDER BY due_at LIMIT 200',
  });
  return rows.map(({ id }) => id);
}
