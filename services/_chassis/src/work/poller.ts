/**
 * Keeps the promise that an idle slot soon claims what becomes ready without a notification: jobs that another replica
 * adds or loses with its process, and jobs that were for later. One query for all idle queues of the process.
 */
import { pause } from '../async.ts';
import type { Pool } from '../database/database.ts';
import { messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Notifier } from './notifier.ts';

export type PollerOptions = {
  readonly pool: Pool;
  readonly log: Logger;
  readonly notifier: Notifier;
  /** Between two polls while the service is idle, in milliseconds. */
  readonly pollMs: number;
  readonly onDatabaseAway: () => void;
  readonly stopping: AbortSignal;
};

/** The same while a job of the service runs anywhere, which may add others at any moment, or is for soon. */
const BUSY_POLL_MS = 100;

/** Of the idle queues those with a job that is ready or was lost, and whether more may come at any moment. */
const pollSql = `SELECT
  ARRAY(SELECT name FROM unnest($1::text[]) AS idle (name) WHERE EXISTS (
    SELECT FROM chassis.jobs WHERE queue = idle.name AND state = 'ready' AND run_after <= now())) AS ready,
  ARRAY(SELECT DISTINCT queue FROM chassis.jobs WHERE state = 'running' AND lease_until <= now()) AS lost,
  EXISTS (SELECT FROM chassis.jobs WHERE state = 'running' AND lease_until > now()) OR EXISTS (
    SELECT FROM unnest($1::text[]) AS idle (name) JOIN chassis.jobs ON queue = idle.name
    WHERE state = 'ready' AND run_after > now() AND run_after <= now() + interval '1 s') AS "isBusy"`;

type Polled = { readonly ready: readonly string[]; readonly lost: readonly string[]; readonly isBusy: boolean };

/** Polls until the process stops. Never throws. */
export async function runPoller(options: PollerOptions): Promise<void> {
  const { pool, log, notifier, pollMs, onDatabaseAway, stopping } = options;
  let isBusy = true;
  for (;;) {
    await pause((isBusy ? Math.min(BUSY_POLL_MS, pollMs) : pollMs) * (0.75 + Math.random() / 2), stopping);
    if (stopping.aborted) return;
    const idle = notifier.idleQueues();
    isBusy = idle.length === 0;
    if (isBusy) continue;
    try {
      const statement = { name: 'chassis-jobs-poll', text: pollSql, values: [idle] };
      const [polled] = (await pool.query<Polled>(statement)).rows;
      isBusy = polled?.isBusy ?? false;
      const waiting = new Set([...(polled?.ready ?? []), ...(polled?.lost ?? [])]);
      idle.filter((queue) => waiting.has(queue)).forEach(notifier.notify);
    } catch (error) {
      log.warn({ reason: messageOf(error) }, 'jobs not polled');
      onDatabaseAway();
    }
  }
}
