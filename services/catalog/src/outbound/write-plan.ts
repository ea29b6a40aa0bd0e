/** Writes a plan: row, stages, clip, ledger, usage, audit and outbox in one transaction, or nothing of it. */
import { randomUUID } from 'node:crypto';
import { withTransaction, type Pool } from '@vds/chassis/database/database';
import type { Outgoing } from '@vds/chassis/database/outbox';
import pg from 'pg';
import { keysInUse } from '../domain/keys-in-use.ts';
import type { Plan } from '../domain/plan.ts';
import { outputsOf, type StageStatus } from '../domain/stages.ts';
import { auditRow, type By } from './audit-rows.ts';
import { earlierTitles } from './earlier-titles.ts';
import { openStages, updateStages, updateVideo, writeRest, type RequestedPurge } from './plan-statements.ts';
import { cancelledMessage, changedMessage, purgeMessage, requestMessage } from './publisher.ts';

export type WritePlan = {
  readonly plan: Plan;
  /** The stages that the plan was made from. */
  readonly stages: readonly StageStatus[];
  readonly now: Date;
  readonly by: By;
  readonly republishFirstMs: number;
};

/** The row or a stage has changed since the plan was made; thrown, so that nothing of the plan is written. */
class VersionConflict extends Error {}

/**
 * Compare-and-set on the version and the stages that the plan was made from.
 * @returns false when another writer came first: decide again
 */
export async function writePlan(pool: Pool, options: WritePlan): Promise<boolean> {
  const { plan, by, now } = options;
  const purges = purgesOf(plan);
  const audit = auditRow(plan.before, plan.video, by, now);
  const titles = await earlierTitles(pool, plan.video, plan.requests);
  const messages = messagesOf(options, purges, titles);
  try {
    await withTransaction(pool, async (client) => {
      if (!(await updateVideo(client, plan)) || !(await updateStages(client, options))) throw new VersionConflict();
      await openStages(client, options);
      await writeRest(client, options, { purges, audit }, messages);
    });
    return true;
  } catch (error) {
    if (error instanceof VersionConflict || isDeadlock(error)) return false;
    throw error;
  }
}

function purgesOf({ effects }: Plan): readonly RequestedPurge[] {
  return effects.flatMap((effect) => (effect.type === 'purge' ? [{ ...effect.purge, requestId: randomUUID() }] : []));
}

function messagesOf(
  { plan, now }: WritePlan,
  purges: readonly RequestedPurge[],
  titles: readonly string[],
): Outgoing[] {
  const { video, requests } = plan;
  const stages = plan.stages.filter(({ attempt }) => attempt === video.attempt);
  const outputs = outputsOf(stages);
  const inUse = keysInUse(video, stages);
  const isCancelled = plan.effects.some(({ type }) => type === 'cancel');
  return [
    changedMessage(video),
    ...requests.map((request) => requestMessage(request, video, outputs, { earlierTitles: titles })),
    ...(isCancelled ? [cancelledMessage(video)] : []),
    ...purges.filter(({ at }) => at <= now).map((purge) => purgeMessage(video.id, purge, inUse)),
  ];
}

/** PostgreSQL aborted one of two deadlocked transactions: https://www.postgresql.org/docs/15/errcodes-appendix.html */
function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '40P01';
}
