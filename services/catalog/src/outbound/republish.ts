/**
 * Saying again what has had no answer: requests to stages and removals. Rows know when; a batch is taken by one
 * statement, so that no two replicas say the same, and is published directly, as a repeat that is lost is said again.
 */
import type { Bus } from '@vds/chassis/bus/bus';
import type { Pool } from '@vds/chassis/database/database';
import type { Outgoing } from '@vds/chassis/database/outbox';
import { inTrace } from '@vds/chassis/telemetry/telemetry';
import type { PurgeScope } from '../domain/purges.ts';
import { isOpen, outputsOf } from '../domain/stage-status.ts';
import { purgeMessage, requestMessage } from './publisher.ts';
import { loadSnapshots, type Loaded } from './snapshots.ts';

// Rows that somebody is writing are passed over, not waited for: whoever writes them decides whether they are asked again.
const takeSql = `WITH due_stages AS (
    SELECT 'stage' AS kind, video_id, attempt, stage AS name, '' AS scope, remind_at FROM stages
    WHERE remind_at <= now() ORDER BY remind_at LIMIT $1 FOR UPDATE SKIP LOCKED),
  due_purges AS (
    SELECT 'purge' AS kind, video_id, 0 AS attempt, owner AS name, scope, remind_at FROM purges
    WHERE remind_at <= now() ORDER BY remind_at LIMIT $1 FOR UPDATE SKIP LOCKED),
  due AS (
    SELECT * FROM (SELECT * FROM due_stages UNION ALL SELECT * FROM due_purges) AS either
    ORDER BY remind_at LIMIT $1),
  asked AS (
    UPDATE stages s SET remind_at = now() + $2::float8 * interval '1 ms', reminders = reminders + 1
    FROM due d WHERE d.kind = 'stage' AND s.video_id = d.video_id AND s.attempt = d.attempt AND s.stage = d.name
    RETURNING s.video_id AS "videoId", 'stage' AS kind, s.stage AS name, s.attempt, s.reminders, '' AS scope, now() AS due),
  removed AS (
    UPDATE purges p SET remind_at = now() + $2::float8 * interval '1 ms', reminders = reminders + 1
    FROM due d WHERE d.kind = 'purge' AND p.video_id = d.video_id AND p.owner = d.name AND p.scope = d.scope
    RETURNING p.video_id, 'purge', p.owner, p.keep_attempt, p.reminders, p.scope, p.due_at)
  SELECT * FROM asked UNION ALL SELECT * FROM removed`;

type Due = {
  readonly videoId: string;
  readonly kind: 'stage' | 'purge';
  /** The stage, or the owner who is to remove. */
  readonly name: string;
  /** The stage's attempt, or the one that a removal keeps. */
  readonly attempt: number;
  readonly reminders: number;
  readonly scope: PurgeScope | '';
  readonly due: Date;
};

type Deps = {
  readonly pool: Pool;
  readonly bus: Pick<Bus, 'publishRaw'>;
  readonly remindEveryMs: number;
  /** Called for each message said. */
  readonly said: (kind: Due['kind']) => void;
};

/**
 * Says again what is due, oldest first.
 * @param most how many messages at most
 * @returns how many were due
 */
export async function republish({ pool, bus, remindEveryMs, said }: Deps, most: number): Promise<number> {
  const { rows } = await pool.query<Due>({ name: 'catalog-remind', text: takeSql, values: [most, remindEveryMs] });
  if (rows.length === 0) return 0;
  const snapshots = await loadSnapshots(pool, [...new Set(rows.map((row) => row.videoId))]);
  const byId = new Map(snapshots.map((snapshot) => [snapshot.video.id, snapshot]));
  const results = await Promise.allSettled(
    rows.map(async (due) => {
      const snapshot = byId.get(due.videoId);
      if (!snapshot) return;
      await inTrace(snapshot.traceparent, 'say again', { kind: due.kind }, async () => {
        const message = messageOf(due, snapshot);
        if (!message) return;
        await bus.publishRaw(message.subject, message.payload, message.messageId, message.traceparent);
        said(due.kind);
      });
    }),
  );
  const refused = results.find((result) => result.status === 'rejected');
  if (refused) throw refused.reason;
  return rows.length;
}

/** The message that is due, as things are now; undefined when it no longer needs saying. */
function messageOf(due: Due, { video, stages }: Loaded): Outgoing | undefined {
  if (due.kind === 'stage') {
    const status = stages.find(({ stage, attempt }) => stage === due.name && attempt === due.attempt);
    return status && isOpen(status) ? requestMessage(status, video, outputsOf(stages), due.reminders) : undefined;
  }
  if (due.scope === '') return undefined;
  const purge = { scope: due.scope, keepAttempt: due.attempt, owners: [due.name] };
  return purgeMessage(due.videoId, purge, `${due.name}-${due.due.getTime()}-again-${due.reminders}`);
}

/** Makes everything that is unanswered due now, in the order in which it was first asked for. */
export async function makeAllDue(pool: Pool): Promise<void> {
  await pool.query(`WITH open AS (
      SELECT video_id, attempt, stage FROM stages WHERE remind_at IS NOT NULL FOR UPDATE SKIP LOCKED)
    UPDATE stages s SET remind_at = LEAST(remind_at, requested_at) FROM open o
    WHERE s.video_id = o.video_id AND s.attempt = o.attempt AND s.stage = o.stage`);
  await pool.query(`WITH open AS (
      SELECT video_id, owner, scope FROM purges WHERE remind_at IS NOT NULL AND due_at <= now() FOR UPDATE SKIP LOCKED)
    UPDATE purges p SET remind_at = LEAST(remind_at, p.due_at) FROM open o
    WHERE p.video_id = o.video_id AND p.owner = o.owner AND p.scope = o.scope`);
}
