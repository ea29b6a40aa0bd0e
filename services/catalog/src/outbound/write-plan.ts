/** Writes a plan: row, stages, clip, ledger, audit and outbox in one transaction, or nothing of it. */
import { randomUUID } from 'node:crypto';
import { outboxFragment, type Outgoing } from '@vds/chassis/database/outbox';
import { Prisma, type PrismaClient } from '#prisma';
import type { Effect } from '../domain/commands.ts';
import { keysInUse } from '../domain/keys-in-use.ts';
import type { Plan } from '../domain/plan.ts';
import type { Purge } from '../domain/purges.ts';
import { isOpen, outputsOf, stages as stageList, type StageStatus } from '../domain/stages.ts';
import { usageOf } from '../domain/usage.ts';
import { after, describeState, type Video } from '../domain/video.ts';
import { writeUsage } from './usage.ts';
import { cancelledMessage, changedMessage, purgeMessage, requestMessage, type PurgeRequest } from './publisher.ts';

/** The author of a change, the action and the reason. */
export type By = {
  readonly actor: string;
  readonly action: string;
  readonly reason?: string;
  /** True: recorded even when nothing changed. */
  readonly always?: boolean;
};
export type WritePlan = {
  readonly plan: Plan;
  /** The stages that the plan was made from. */
  readonly stages: readonly StageStatus[];
  readonly now: Date;
  readonly by: By;
  readonly republishFirstMs: number;
};
type Transaction = Prisma.TransactionClient;
type RequestedPurge = Purge & PurgeRequest;

/** A stage has changed since the plan was made; thrown, so that nothing of the plan is written. */
class VersionConflict extends Error {}

/**
 * Compare-and-set on the version and the stages that the plan was made from.
 * @returns false when another writer came first: decide again
 */
export async function writePlan(prisma: PrismaClient, options: WritePlan): Promise<boolean> {
  try {
    return await write(prisma, options);
  } catch (error) {
    if (error instanceof VersionConflict || isDeadlock(error)) return false;
    throw error;
  }
}

function write(prisma: PrismaClient, options: WritePlan): Promise<boolean> {
  return prisma.$transaction(async (tx) => {
    const { before, video } = options.plan;
    const { count } = await tx.video.updateMany({
      where: { id: video.id, version: before.version },
      data: columnsOf(video),
    });
    if (count === 0) return false;
    await writeStages(tx, options);
    await writeClip(tx, options.plan);
    const purges = purgesOf(options.plan);
    await writePurges(tx, options, purges);
    await writeUsage(tx, video.publisherId, usageOf({ video: before, stages: options.stages }, options.plan));
    const row = auditRow(before, video, options.by, options.now);
    if (row) await tx.audit.create({ data: row });
    const values: unknown[] = [];
    await tx.$executeRawUnsafe(outboxFragment(messagesOf(options, purges), values), ...values);
    return true;
  });
}

/** The columns that decisions change. */
function columnsOf({ id: _id, publisherId: _publisher, createdAt: _created, title: _title, ...video }: Video) {
  return {
    ...video,
    failure: video.failure ?? Prisma.DbNull,
    warnings: video.warnings.map((warning) => ({ ...warning })),
    captions: video.captions.map((track) => ({ ...track, path: [...track.path] })),
    tags: [...video.tags],
  };
}

async function writeStages(tx: Transaction, { plan, stages, now, republishFirstMs }: WritePlan): Promise<void> {
  const videoId = plan.video.id;
  const nextRepublishAt = after(now, republishFirstMs);
  for (const status of plan.stages.filter((candidate) => !stages.includes(candidate))) {
    const { stage, attempt, reached, ...rest } = status;
    const before = stages.find((one) => one.stage === stage && one.attempt === attempt);
    const isRequested = attempt === plan.video.attempt && plan.requests.some((request) => request.stage === stage);
    const republishing = isRequested
      ? { nextRepublishAt, republished: 0 }
      : !isOpen(status) && { nextRepublishAt: null };
    const data = { ...rest, reached: [...reached], ...republishing };
    // A stage update does not move the version of its video: the conditions keep it from being overwritten here.
    const { state, progress, revision } = before ?? status;
    const where = { videoId, attempt, stage, state, progress, revision };
    const { count } = await tx.stage.updateMany({ where, data });
    if (count === 0) throw new VersionConflict();
  }
  if (has(plan, 'stop-republishing'))
    await tx.stage.updateMany({ where: { videoId }, data: { nextRepublishAt: null } });
  const first = plan.requests.filter(({ revision }) => revision === 0);
  if (first.length === 0) return;
  const owners = new Map(stageList.map((stage) => [stage.name, stage.owner]));
  await tx.stage.createMany({
    data: first.map((request) => ({
      ...request,
      videoId,
      attempt: plan.video.attempt,
      owner: owners.get(request.stage) ?? '',
      requestedAt: now,
      nextRepublishAt,
    })),
  });
}

function has(plan: Plan, type: Effect['type']): boolean {
  return plan.effects.some((effect) => effect.type === type);
}

async function writeClip(tx: Transaction, plan: Plan): Promise<void> {
  const { video } = plan;
  if (!has(plan, 'publish-clip') && !has(plan, 'withdraw-clip')) return;
  await tx.clip.deleteMany({ where: { videoId: video.id } });
  if (!has(plan, 'publish-clip')) return;
  await tx.$executeRaw`INSERT INTO clips (video_id, publisher_id, title, summary, tags, sport, category, language_code,
      duration_ms, playback_id, thumbnail_url, published_at)
    SELECT id, publisher_id, title, summary, tags, sport, category, language_code,
      COALESCE(duration_ms, 0), playback_id, thumbnail_url, published_at FROM videos WHERE id = ${video.id}`;
}

function purgesOf({ effects }: Plan): readonly RequestedPurge[] {
  return effects.flatMap((effect) => (effect.type === 'purge' ? [{ ...effect.purge, requestId: randomUUID() }] : []));
}

/** A later request of the same purge replaces the earlier one, whose confirmation then no longer counts. */
async function writePurges(
  tx: Transaction,
  { plan, now, republishFirstMs }: WritePlan,
  purges: readonly RequestedPurge[],
): Promise<void> {
  const videoId = plan.video.id;
  if (has(plan, 'drop-purges')) await tx.purge.deleteMany({ where: { videoId } });
  for (const { scope, keepAttempt, requestId, owners, at } of purges) {
    await tx.purge.deleteMany({ where: { videoId, scope, owner: { in: [...owners] } } });
    const nextRepublishAt = at > now ? at : after(now, republishFirstMs);
    const row = { videoId, scope, keepAttempt, requestId, dueAt: at, nextRepublishAt };
    await tx.purge.createMany({ data: owners.map((owner) => ({ ...row, owner })) });
  }
}

function messagesOf({ plan, now }: WritePlan, purges: readonly RequestedPurge[]): Outgoing[] {
  const { video, requests } = plan;
  const stages = plan.stages.filter(({ attempt }) => attempt === video.attempt);
  const outputs = outputsOf(stages);
  const inUse = keysInUse(video, stages);
  return [
    changedMessage(video),
    ...requests.map((request) => requestMessage(request, video, outputs)),
    ...(has(plan, 'cancel') ? [cancelledMessage(video)] : []),
    ...purges.filter(({ at }) => at <= now).map((purge) => purgeMessage(video.id, purge, inUse)),
  ];
}

/** The audit's row: for every change of what a video is, and for every action of the operator; undefined where there is none. */
export function auditRow(before: Video, after: Video, by: By, at: Date) {
  const [was, became] = [describeState(before), describeState(after)];
  if (was === became && by.always !== true) return undefined;
  const { actor, action, reason = '' } = by;
  return { videoId: after.id, publisherId: after.publisherId, at, actor, action, was, became, reason };
}

/** Postgres aborted one of two deadlocked transactions (https://pris.ly/d/error-reference#p2034). */
function isDeadlock(error: unknown): boolean {
  return (
    error instanceof Prisma.PrismaClientKnownRequestError &&
    (error.code === 'P2034' || (error.code === 'P2010' && error.meta?.['code'] === '40P01'))
  );
}
