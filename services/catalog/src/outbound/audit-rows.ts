/** Rows of the audit: who changed what, and why. */
import { withTransaction, type Executor, type Pool } from '@vds/chassis/database/database';
import { describeState, type Video } from '../domain/video.ts';

/** The author of a change, the action and the reason. */
export type By = {
  readonly actor: string;
  readonly action: string;
  readonly reason?: string;
  /** True: recorded even when nothing changed. */
  readonly always?: boolean;
};

export type AuditRow = {
  /** Left out: the change is to the publisher. */
  readonly videoId?: string;
  readonly publisherId: string;
  readonly at?: Date;
  readonly actor: string;
  readonly action: string;
  readonly was: string;
  readonly became: string;
  readonly reason: string;
};

/** For every change of a video's state, and for every action of the operator; undefined if there is none. */
export function auditRow(before: Video, after: Video, by: By, at: Date): AuditRow | undefined {
  const [was, became] = [describeState(before), describeState(after)];
  if (was === became && by.always !== true) return undefined;
  const { actor, action, reason = '' } = by;
  return { videoId: after.id, publisherId: after.publisherId, at, actor, action, was, became, reason };
}

export async function addAudit(client: Executor, row: AuditRow): Promise<void> {
  const values: unknown[] = [];
  await client.query({ name: 'catalog-audit', text: auditFragment(row, (value) => `$${values.push(value)}`), values });
}

/** A correction of captions, as captions tells of it. */
export type Correction = Pick<AuditRow, 'actor' | 'reason'> & {
  readonly videoId: string;
  readonly language: string;
  /** From 1; 0: the whole track. */
  readonly cue: number;
  readonly wasRevision: number;
  readonly revision: number;
  readonly at: Date;
};

/** Once, however often it is told. @returns false where there is no such video */
export async function addCorrection(pool: Pool, { videoId, at, ...correction }: Correction): Promise<boolean> {
  const { language, cue, wasRevision, revision, actor, reason } = correction;
  const action = cue === 0 ? `captions replace ${language}` : `captions fix cue ${cue} of ${language}`;
  return withTransaction(pool, async (client) => {
    // A repeat waits here for the first one, whose row it then finds.
    const { rows } = await client.query<Pick<Video, 'publisherId' | 'state' | 'intent' | 'held' | 'attempt'>>(
      'SELECT publisher_id AS "publisherId", state, intent, held, attempt FROM videos WHERE id = $1 FOR UPDATE',
      [videoId],
    );
    const video = rows[0];
    if (!video) return false;
    const known = await client.query('SELECT 1 FROM audit WHERE video_id = $1 AND action = $2 AND at = $3', [
      ...[videoId, action, at],
    ]);
    if (known.rowCount !== 0) return true;
    const stateAt = (one: number): string => `${describeState(video)}, captions revision ${one}`;
    const [was, became] = [stateAt(wasRevision), stateAt(revision)];
    const { publisherId } = video;
    await addAudit(client, { videoId, publisherId, at, actor, action, was, became, reason });
    return true;
  });
}

/**
 * The insert as a fragment of a caller's own statement.
 * @param bind adds a value to the statement and returns its placeholder
 */
export function auditFragment(row: AuditRow, bind: (value: unknown) => string): string {
  const { videoId = null, publisherId, at = null, actor, action, was, became, reason } = row;
  const texts = [videoId, publisherId, actor, action, was, became, reason].map(bind).join(', ');
  return `INSERT INTO audit (video_id, publisher_id, actor, action, was, became, reason, at)
    VALUES (${texts}, COALESCE(${bind(at)}, CURRENT_TIMESTAMP))`;
}
