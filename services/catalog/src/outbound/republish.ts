/**
 * Republishes unanswered requests to stages and unconfirmed purges, at most a minute apart: whoever lost one, or gave it
 * up, gets it again. Rows have their due time; one statement claims a batch, so that no two
 * replicas publish the same message, and it is published directly: a lost message is republished later. Messages not
 * published because NATS was unavailable are due again at once. Those that NATS refuses are not: they would stay the
 * oldest forever, and keep the others waiting.
 */
import type { Bus } from '@vds/chassis/bus/bus';
import type { Pool } from '@vds/chassis/database/database';
import type { Outgoing } from '@vds/chassis/database/outbox';
import { AppError } from '@vds/chassis/errors';
import { inTrace } from '@vds/chassis/telemetry/telemetry';
import type { Times } from '../config.ts';
import { keysInUse } from '../domain/keys-in-use.ts';
import type { PurgeScope } from '../domain/purges.ts';
import { isOpen, outputsOf } from '../domain/stages.ts';
import { earlierTitles } from './earlier-titles.ts';
import { purgeMessage, requestMessage } from './publisher.ts';
import { loadSnapshots, type Loaded } from './snapshots.ts';

/** Each gap is twice as long as the previous one. */
const gap = `least($3::float8, $2::float8 * 2 ^ least(republished + 1, 30)) * interval '1 ms'`;

// Locked rows are skipped: the transaction that writes them decides whether they are republished.
const claimSql = `WITH due_stages AS (
    SELECT 'stage' AS kind, video_id, attempt, stage AS name, '' AS scope, next_republish_at FROM stages
    WHERE next_republish_at <= now() ORDER BY next_republish_at LIMIT $1 FOR UPDATE SKIP LOCKED),
  due_purges AS (
    SELECT 'purge' AS kind, video_id, 0 AS attempt, owner AS name, scope, next_republish_at FROM purges
    WHERE next_republish_at <= now() ORDER BY next_republish_at LIMIT $1 FOR UPDATE SKIP LOCKED),
  due AS (
    SELECT * FROM (SELECT * FROM due_stages UNION ALL SELECT * FROM due_purges) AS either
    ORDER BY next_republish_at LIMIT $1),
  requests AS (
    UPDATE stages s SET next_republish_at = now() + ${gap}, republished = republished + 1
    FROM due d WHERE d.kind = 'stage' AND s.video_id = d.video_id AND s.attempt = d.attempt AND s.stage = d.name
    RETURNING s.video_id AS "videoId", 'stage' AS kind, s.stage AS name, s.attempt, s.republished, '' AS scope,
      '' AS "requestId", d.next_republish_at AS "dueAt"),
  removals AS (
    UPDATE purges p SET next_republish_at = now() + ${gap}, republished = republished + 1
    FROM due d WHERE d.kind = 'purge' AND p.video_id = d.video_id AND p.owner = d.name AND p.scope = d.scope
    RETURNING p.video_id, 'purge', p.owner, p.keep_attempt, p.republished, p.scope, p.request_id, d.next_republish_at)
  SELECT * FROM requests UNION ALL SELECT * FROM removals`;

/**
 * Releases the claim of messages that were not published, if their rows are unchanged: their due time, and the number
 * that ends their message ids. So a message that was stored although NATS seemed unavailable is a duplicate.
 */
const unclaimSql = {
  stage: unclaim('stages', 'attempt', 'stage'),
  purge: unclaim('purges', 'owner', 'scope'),
} as const;

/** @param key the columns of the primary key besides `video_id` */
function unclaim(table: 'stages' | 'purges', ...key: readonly [string, string]): string {
  const [first, second] = key;
  return `WITH unsent AS (
    SELECT video_id, ${first}, ${second}, since FROM ${table} JOIN unnest($1::text[], $2::text[], $3::text[], $4::int[],
      $5::timestamptz[]) AS claimed (id, key1, key2, number, since)
      ON video_id = id AND ${first}::text = key1 AND ${second} = key2 AND republished = number
    WHERE next_republish_at IS NOT NULL FOR UPDATE OF ${table} SKIP LOCKED)
  UPDATE ${table} SET next_republish_at = since, republished = republished - 1 FROM unsent
  WHERE ${['video_id', first, second].map((column) => `${table}.${column} = unsent.${column}`).join(' AND ')}`;
}

type Due = {
  readonly videoId: string;
  readonly kind: 'stage' | 'purge';
  /** The stage, or the owner that must purge. */
  readonly name: string;
  /** The stage's attempt, or the one that a purge keeps. */
  readonly attempt: number;
  readonly republished: number;
  readonly scope: PurgeScope | '';
  readonly requestId: string;
  readonly dueAt: Date;
};

type Deps = {
  readonly pool: Pool;
  readonly bus: Pick<Bus, 'publishRaw' | 'isUp'>;
  /** Resolves once the relay knows what the stream has lost. */
  readonly relayReady: () => Promise<void>;
  /** The gap before the first repeat, each further one is twice as long, and the longest one. */
  readonly times: Pick<Times, 'republishFirstMs' | 'republishMaxMs'>;
  /** Called for each message published. */
  readonly onRepublished: (kind: Due['kind']) => void;
};

/**
 * Republishes what is due, oldest first; nothing while NATS is unavailable.
 * @param limit how many messages at most
 * @throws AppError when a message could not be published
 */
export async function republish(deps: Deps, limit: number): Promise<void> {
  const { pool, bus, onRepublished } = deps;
  const { republishFirstMs, republishMaxMs } = deps.times;
  if (!bus.isUp()) return;
  await deps.relayReady();
  const claim = { name: 'catalog-republish', text: claimSql, values: [limit, republishFirstMs, republishMaxMs] };
  const { rows } = await pool.query<Due>(claim);
  if (rows.length === 0) return;
  const snapshots = await loadSnapshots(pool, [...new Set(rows.map((row) => row.videoId))]);
  const byId = new Map(snapshots.map((snapshot) => [snapshot.video.id, snapshot]));
  const results = await Promise.allSettled(
    rows.map(async (due) => {
      const snapshot = byId.get(due.videoId);
      if (!snapshot) return;
      await inTrace(snapshot.traceparent, 'republish', { kind: due.kind }, async () => {
        const message = await messageOf(pool, due, snapshot);
        if (!message) return;
        await bus.publishRaw(message.subject, message.payload, message.messageId, message.traceparent);
        onRepublished(due.kind);
      });
    }),
  );
  await takeBack(
    pool,
    rows.filter((_row, index) => isDown(results[index])),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

function isDown(result: PromiseSettledResult<void> | undefined): boolean {
  if (result?.status !== 'rejected') return false;
  return result.reason instanceof AppError && result.reason.code === 'UNAVAILABLE';
}

async function takeBack(pool: Pool, unsent: readonly Due[]): Promise<void> {
  for (const kind of ['stage', 'purge'] as const) {
    const rows = unsent.filter((due) => due.kind === kind);
    if (rows.length === 0) continue;
    await pool.query(unclaimSql[kind], [
      rows.map(({ videoId }) => videoId),
      rows.map(({ attempt, name }) => (kind === 'stage' ? String(attempt) : name)),
      rows.map(({ name, scope }) => (kind === 'stage' ? name : scope)),
      rows.map(({ republished }) => republished),
      rows.map(({ dueAt }) => dueAt),
    ]);
  }
}

/** The due message, built from the current state; undefined when it is no longer needed. */
async function messageOf(pool: Pool, due: Due, { video, stages }: Loaded): Promise<Outgoing | undefined> {
  if (due.kind === 'stage') {
    const status = stages.find(({ stage, attempt }) => stage === due.name && attempt === due.attempt);
    if (!status || !isOpen(status)) return undefined;
    const { republished } = due;
    const titles = await earlierTitles(pool, video, [status]);
    return requestMessage(status, video, outputsOf(stages), { republished, earlierTitles: titles });
  }
  if (due.scope === '') return undefined;
  const { scope, attempt: keepAttempt, name: owner, requestId } = due;
  const repeat = `-${owner}-again-${due.republished}`;
  return purgeMessage(
    due.videoId,
    { scope, keepAttempt, owners: [owner], requestId },
    keysInUse(video, stages),
    repeat,
  );
}
