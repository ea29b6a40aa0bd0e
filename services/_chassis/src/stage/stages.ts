/**
 * A stage that a conductor asks for, by a message that it says again until it hears a last word. Its row is opened by the
 * request, begun at the first claim of a unit, and ended by exactly one last word a revision; a repeat of the request is
 * ignored while the stage is open and gets the last word again once it has ended.
 */
import { randomUUID } from 'node:crypto';
import { withTransaction, type Executor, type Pool, type PoolClient } from '../database/database.ts';
import { addToOutbox, type Outgoing } from '../database/outbox.ts';
import { isTombstoned, lockGroup } from './tombstones.ts';
import {
  beginRow,
  cancelRows,
  endRow,
  moveRow,
  openRow,
  readRow,
  type StageRequest,
  type StageResult,
  type StageFailure,
  type StageKey,
  type StageRow,
} from './stage-rows.ts';
import { cancelAttempt, cancelGroup, type Claimed } from '../work/work.ts';

export type { StageRequest, StageFailure, StageKey, StageRow } from './stage-rows.ts';

/**
 * How a stage speaks. Each message's id is `stageMessageId` of its subject; `repeat` is '' for the first last word, else a
 * suffix that makes a repeat unique, or the stream would swallow it.
 */
export type StagePublisher<D> = {
  readonly started: (key: StageKey) => Outgoing;
  readonly progressed?: (key: StageKey, percent: number) => Outgoing;
  readonly completed: (key: StageKey, done: D, repeat: string) => Outgoing;
  readonly failed: (key: StageKey, failure: StageFailure, repeat: string) => Outgoing;
};

export type StageOptions<R, D> = {
  readonly pool: Pool;
  /** Unique within the service. */
  readonly stage: string;
  readonly publisher: StagePublisher<D>;
  /** Something was committed: look at the outbox and for work. */
  readonly wake: () => void;
  /**
   * Writes down the units that an asking begins with, in the transaction that opens the stage. Their names differ by
   * revision (`unitAt`) and their payloads carry `revision` (`stageOfUnit`).
   */
  readonly begin: (client: PoolClient, asked: StageRequest<R>) => Promise<void>;
  /** Shortest time between two words of progress; 2 s unless given. */
  readonly sayEveryMs?: number;
};
export type Stages<R, D> = ReturnType<typeof openStages<R, D>>;

/** Names the cause: `<subject>/<group>/<attempt>/<revision>`, with what distinguishes several of one revision behind it. */
export function stageMessageId(subject: string, { groupKey, attempt, revision }: StageKey, more = ''): string {
  return `${subject}/${groupKey}/${attempt}/${revision}${more}`;
}

/** A unit's name at a revision; units of different revisions never meet in a queue or in a folder. */
export function unitAt(unit: string, revision: number): string {
  return revision === 0 ? unit : `${unit}-r${revision}`;
}

/** The stage that a unit belongs to; its payload carries `revision`, 0 where it does not. */
export function stageOfUnit({ groupKey, attempt, payload }: Claimed): StageKey {
  const revision = (payload as { readonly revision?: number } | null)?.revision ?? 0;
  return { groupKey, attempt, revision };
}

/** The life of one stage, for its ears and its queues. */
export function openStages<R, D>(options: StageOptions<R, D>) {
  const { pool, stage, publisher, wake, sayEveryMs = 2_000 } = options;
  return {
    /**
     * For the request's ear. A higher revision opens an ended stage anew; over an open one it is ignored: it will be said
     * again. Nothing is opened that was cancelled or is gone for ever.
     */
    take: async (asked: StageRequest<R>): Promise<void> => {
      await take(options, asked);
      wake();
    },

    /**
     * The first lines of each unit: says `started` at the first one.
     * @returns what was asked; undefined where the stage has ended, was cancelled or is at another revision
     */
    enter: (key: StageKey): Promise<StageRequest<R> | undefined> => enter(options, key),

    /** The stage of an attempt, at whatever revision it is. */
    read: (client: Executor, key: Pick<StageKey, 'groupKey' | 'attempt'>): Promise<StageRow<R, D> | undefined> =>
      readRow(client, stage, key),

    /** Notes how far the stage is, 0 to 100; written and said only when it has risen, and at most every two seconds. */
    progress: async (key: StageKey, percent: number): Promise<void> => {
      // A hundred is the last word's.
      const whole = Math.max(0, Math.min(99, Math.floor(percent)));
      if (await moveRow(pool, stage, key, whole, sayEveryMs, publisher.progressed?.(key, whole))) wake();
    },

    /**
     * Ends the stage well, in the transaction of `job.complete`.
     * @returns false where it has ended already; what the caller made is then not wanted
     */
    complete: (client: PoolClient, key: StageKey, done: D): Promise<boolean> => end(options, client, key, { done }),

    /** Ends the stage with a failure and cancels the attempt's other units; false where it has ended already. */
    fail: async (client: PoolClient, key: StageKey, failure: StageFailure): Promise<boolean> => {
      if (!(await end(options, client, key, { failure }))) return false;
      await cancelAttempt(client, key);
      return true;
    },

    /** For the ear of what is no longer wanted; abort what this process runs of the group afterwards. */
    cancel: (groupKey: string): Promise<void> => cancelStages(pool, groupKey),
  };
}

/** Opens, or says the last word again, or neither. */
function take<R, D>({ pool, stage, publisher, begin }: StageOptions<R, D>, asked: StageRequest<R>): Promise<void> {
  return withTransaction(pool, async (client) => {
    await lockGroup(client, asked.groupKey);
    if (await isTombstoned(client, asked.groupKey)) return;
    if (await openRow(client, stage, asked)) return begin(client, asked);
    const row = await readRow<R, D>(client, stage, asked);
    if (!row?.answer || row.revision !== asked.revision) return;
    await addToOutbox(client, [resultMessage(publisher, asked, row.answer, `/again-${randomUUID()}`)]);
  });
}

function resultMessage<D>(
  publisher: StagePublisher<D>,
  key: StageKey,
  answer: StageResult<D>,
  repeat: string,
): Outgoing {
  return 'done' in answer
    ? publisher.completed(key, answer.done, repeat)
    : publisher.failed(key, answer.failure, repeat);
}

/** Says `started` at the first unit that enters. */
async function enter<R, D>(
  { pool, stage, publisher, wake }: StageOptions<R, D>,
  key: StageKey,
): Promise<StageRequest<R> | undefined> {
  const row = await readRow<R, D>(pool, stage, key);
  if (row?.state !== 'open' || row.revision !== key.revision) return undefined;
  if (!row.started && (await beginRow(pool, stage, key, publisher.started(key)))) wake();
  return { ...key, tenant: row.tenant, request: row.request };
}

/** Ends a stage that is open at this revision and says so. */
async function end<R, D>(
  { stage, publisher }: StageOptions<R, D>,
  client: PoolClient,
  key: StageKey,
  answer: StageResult<D>,
): Promise<boolean> {
  if (!(await endRow(client, stage, key, answer))) return false;
  await addToOutbox(client, [resultMessage(publisher, key, answer, '')]);
  return true;
}

/** Closes every open stage of a group and cancels its units, in one transaction. Running units lose their lease. */
export function cancelStages(pool: Pool, groupKey: string): Promise<void> {
  return withTransaction(pool, async (client) => {
    await lockGroup(client, groupKey);
    // Units first: a unit that is being ended holds its own row and waits for the stage's.
    await cancelGroup(client, groupKey);
    await cancelRows(client, groupKey);
  });
}
