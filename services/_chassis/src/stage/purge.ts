/**
 * The desk for purges: who asks gets an answer once nothing is left. Purges are units of work in a group of their own,
 * since what ends a group's work must not end its purge. One that fails for good is asked for again by who wants it.
 */
import { withTransaction, type Executor, type Pool, type PoolClient } from '../database/database.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Objects } from '../objects/objects.ts';
import { addToOutbox, type Outgoing } from '../database/outbox.ts';
import { emptyPrefix, lockGroup, addTombstone, removeWork } from './tombstones.ts';
import { cancelRows, forgetRows } from './stage-rows.ts';
import { cancelGroup, enqueue, type Job, type Queue } from '../work/work.ts';

/**
 * - `all`: everything of the group, for ever; a tombstone refuses late results
 * - `before`: what attempts before `keepAttempt` left (0: all there are); the group lives on
 * - `source`: what the service keeps of the group's source alone
 */
export type PurgeScope = 'all' | 'before' | 'source';
export type PurgeRequest = { readonly groupKey: string; readonly scope: PurgeScope; readonly keepAttempt: number };

export type PurgeStore = {
  readonly objects: Objects;
  /** Everything of a group lies under it. */
  readonly prefix: (groupKey: string) => string;
  /** Makes the test of a key: whether an asking is about it. Runs before `forget`, so that it may read rows. */
  readonly matches: (asked: PurgeRequest) => KeyTest | Promise<KeyTest>;
};
type KeyTest = (key: string) => boolean;

export type PurgeOptions = {
  readonly pool: Pool;
  readonly log: Logger;
  /** What is kept in a bucket; left out by a service that keeps rows alone. */
  readonly store?: PurgeStore;
  /** Closes what the service's own tables have open of it; stages and units of the chassis are closed already. */
  readonly stop?: (client: PoolClient, asked: PurgeRequest) => Promise<void>;
  /** Removes rows of the service's own tables; stages and units of the chassis are removed already. */
  readonly forget: (client: PoolClient, asked: PurgeRequest) => Promise<void>;
  /** The answer; `cause` makes the message of each asking another one. */
  readonly say: (asked: PurgeRequest, cause: string) => Outgoing;
  /** Aborts what this process runs of a group. */
  readonly abort: (groupKey: string) => void;
  /** Something was committed: look at the outbox and for work. */
  readonly wake: () => void;
  /** When a purge looks once more for what a worker wrote that had lost its lease; longer than any lease. */
  readonly againMs: number;
};

const queueName = 'purge';
const finalSweep = 'late';
export type Purges = ReturnType<typeof openPurges>;

/** `ask` is for the ear of the asking, `queue` belongs under the name `purge` among the worker's queues. */
export function openPurges(options: PurgeOptions) {
  return {
    /** Stops the work at once and has the rest done by the queue; an asking of the same kind that waits or runs is enough. */
    ask: (asked: PurgeRequest): Promise<void> => ask(options, asked),
    queue: (slots: number): Queue => ({
      slots,
      run: (job) => perform(options, job),
      failed: async (_client, job, error) => options.log.error({ err: error, group: job.groupKey }, 'a purge failed'),
    }),
  };
}

async function ask(options: PurgeOptions, asked: PurgeRequest): Promise<void> {
  await withTransaction(options.pool, async (client) => {
    await lockGroup(client, asked.groupKey);
    await stopWork(options, client, asked);
    if (await pending(client, asked)) return;
    await addUnit(client, asked, String(Date.now()));
  });
  if (asked.scope === 'all') options.abort(asked.groupKey);
  options.wake();
}

/** Nobody goes on making what is to be removed. */
async function stopWork({ stop }: PurgeOptions, client: PoolClient, asked: PurgeRequest): Promise<void> {
  const { groupKey, scope } = asked;
  if (scope === 'source') return;
  if (scope === 'all') await addTombstone(client, groupKey);
  const bound = boundOf(asked);
  await cancelGroup(client, groupKey, bound);
  await cancelRows(client, groupKey, bound);
  await stop?.(client, asked);
}

/** Attempts that an asking is about: those before this one; undefined: all. */
function boundOf({ scope, keepAttempt }: PurgeRequest): number | undefined {
  return scope === 'all' || keepAttempt === 0 ? undefined : keepAttempt;
}

/** Whether a purge of this kind waits or runs; a late look is none. */
async function pending(client: Executor, asked: PurgeRequest): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT 1 FROM chassis.work WHERE queue = $1 AND group_key = $2 AND state IN ('ready', 'running')
       AND starts_with(unit, $3) AND unit <> $3 || $4 LIMIT 1`,
    [queueName, groupOf(asked.groupKey), kindOf(asked), finalSweep],
  );
  return rows.length > 0;
}

function groupOf(groupKey: string): string {
  return `purge/${groupKey}`;
}

function kindOf({ scope, keepAttempt }: PurgeRequest): string {
  return `${scope}-${keepAttempt}-`;
}

function addUnit(client: Executor, asked: PurgeRequest, look: string, delayMs = 0): Promise<number> {
  return enqueue(client, [
    {
      queue: queueName,
      groupKey: groupOf(asked.groupKey),
      attempt: 0,
      unit: kindOf(asked) + look,
      payload: asked,
      delayMs,
    },
  ]);
}

async function perform(options: PurgeOptions, job: Job): Promise<void> {
  const asked = job.payload as PurgeRequest;
  const { groupKey, scope } = asked;
  const late = job.unit === kindOf(asked) + finalSweep;
  const { store } = options;
  if (store) await emptyPrefix(store.objects, store.prefix(groupKey), await store.matches(asked));
  await job.complete(async (client) => {
    if (scope === 'all') await removeWork(client, groupKey);
    if (scope !== 'source') await forgetRows(client, groupKey, boundOf(asked));
    await options.forget(client, asked);
    if (late) return; // Nobody has asked for it.
    await addToOutbox(client, [options.say(asked, job.unit)]);
    // Looking again where nothing bounds the attempts would take what a later one has made since.
    if (scope === 'source' || (scope === 'before' && asked.keepAttempt === 0)) return;
    await addFinalSweep(client, asked, options.againMs);
  });
}

/** One late look a kind waits at a time; one that has ended makes room. */
async function addFinalSweep(client: Executor, asked: PurgeRequest, delayMs: number): Promise<void> {
  await client.query(
    `DELETE FROM chassis.work WHERE queue = $1 AND group_key = $2 AND unit = $3 AND state NOT IN ('ready', 'running')`,
    [queueName, groupOf(asked.groupKey), kindOf(asked) + finalSweep],
  );
  await addUnit(client, asked, finalSweep, delayMs);
}
