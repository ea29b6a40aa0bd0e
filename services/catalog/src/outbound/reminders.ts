/**
 * Saying again what has had no answer: requests to stages and removals. Rows know when; a batch is taken by one
 * statement, so that no two replicas say the same, and is published directly, as a repeat that is lost is said again.
 */
import type { Bus } from '@vds/shared/bus';
import { withTransaction, type Pool } from '@vds/shared/database';
import type { Outgoing } from '@vds/shared/outbox';
import { inTrace } from '@vds/shared/telemetry';
import type { PurgeScope } from '../domain/purges.ts';
import { outputsOf } from '../domain/stages.ts';
import { purgeMessage, requestMessage } from './messages.ts';
import { loadSnapshots, type Loaded } from './snapshots.ts';

const takeSql = `WITH due AS (
    SELECT * FROM (
      (SELECT 'stage' AS kind, video_id, attempt, stage AS name, '' AS scope, remind_at FROM stages
        WHERE remind_at <= now() ORDER BY remind_at LIMIT $1)
      UNION ALL
      (SELECT 'purge', video_id, 0, owner, scope, remind_at FROM purges
        WHERE remind_at <= now() ORDER BY remind_at LIMIT $1)) AS either
    ORDER BY remind_at LIMIT $1),
  asked AS (
    UPDATE stages s SET remind_at = now() + $2::float8 * interval '1 ms', reminders = reminders + 1
    FROM due d WHERE d.kind = 'stage' AND s.video_id = d.video_id AND s.attempt = d.attempt AND s.stage = d.name
      AND s.remind_at <= now()
    RETURNING s.video_id AS "videoId", 'stage' AS kind, s.stage AS name, s.attempt, s.reminders, '' AS scope, now() AS due),
  removed AS (
    UPDATE purges p SET remind_at = now() + $2::float8 * interval '1 ms', reminders = reminders + 1
    FROM due d WHERE d.kind = 'purge' AND p.video_id = d.video_id AND p.owner = d.name AND p.scope = d.scope
      AND p.remind_at <= now()
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

/** The message that is due, as things are now; undefined when it no longer needs saying. */
const messageOf = (due: Due, { video, stages }: Loaded): Outgoing | undefined => {
  if (due.kind === 'stage')
    return due.attempt === video.attempt
      ? requestMessage(due.name, video, outputsOf(stages), due.reminders)
      : undefined;
  if (due.scope === '') return undefined;
  const purge = { scope: due.scope, keepAttempt: due.attempt, owners: [due.name] };
  return purgeMessage(due.videoId, purge, `${due.name}-${due.due.getTime()}-again-${due.reminders}`);
};

type ReminderParts = {
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
export const sayAgain = async ({ pool, bus, remindEveryMs, said }: ReminderParts, most: number): Promise<number> => {
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
};

/** Makes everything that is unanswered due now, in the order in which it was first asked for. */
export const makeAllDue = (pool: Pool): Promise<void> =>
  withTransaction(pool, async (client) => {
    await client.query('UPDATE stages SET remind_at = LEAST(remind_at, requested_at) WHERE remind_at IS NOT NULL');
    await client.query(`UPDATE purges SET remind_at = LEAST(remind_at, due_at)
      WHERE remind_at IS NOT NULL AND due_at <= now()`);
  });
