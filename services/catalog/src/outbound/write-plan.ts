/** Writing a plan: row, stages, clip, ledger, audit and outbox in one transaction, or nothing of it. */
import { outboxFragment, type Outgoing } from '@vds/chassis/database/outbox';
import { Prisma, type PrismaClient } from '#prisma';
import type { Plan } from '../domain/plan.ts';
import { isOpen, outputsOf, type StageStatus } from '../domain/stage-status.ts';
import { stages as stageList } from '../domain/stages.ts';
import { after, type Effect, type Video } from '../domain/video.ts';
import { auditRow, type By } from './audit.ts';
import { cancelledMessage, changedMessage, purgeMessage, requestMessage } from './publisher.ts';

export type WritePlan = {
  readonly plan: Plan;
  /** The stages that the plan was made from. */
  readonly was: readonly StageStatus[];
  readonly now: Date;
  readonly by: By;
  readonly remindFirstMs: number;
};
type Transaction = Prisma.TransactionClient;

/** A stage is no longer as the plan found it; thrown, so that nothing of the plan is written. */
class Overtaken extends Error {}

/**
 * Compare-and-set on the version and the stages that the plan was made from.
 * @returns false when somebody else has written in between: decide again
 */
export async function writePlan(prisma: PrismaClient, given: WritePlan): Promise<boolean> {
  try {
    return await write(prisma, given);
  } catch (error) {
    if (error instanceof Overtaken || isDeadlock(error)) return false;
    throw error;
  }
}

function write(prisma: PrismaClient, given: WritePlan): Promise<boolean> {
  return prisma.$transaction(async (tx) => {
    const { before, video } = given.plan;
    const { count } = await tx.video.updateMany({
      where: { id: video.id, version: before.version },
      data: columnsOf(video),
    });
    if (count === 0) return false;
    await writeStages(tx, given);
    await writeClip(tx, given.plan);
    await writePurges(tx, given);
    const row = auditRow(before, video, given.by, given.now);
    if (row) await tx.audit.create({ data: row });
    const said = outboxFragment(messagesOf(given));
    await tx.$executeRawUnsafe(said.sql, ...said.values);
    return true;
  });
}

/** The columns that decisions change. */
function columnsOf(video: Video) {
  return {
    state: video.state,
    intent: video.intent,
    held: video.held,
    attempt: video.attempt,
    version: video.version,
    updatedAt: video.updatedAt,
    endedAt: video.endedAt,
    dueAt: video.dueAt,
    deletedAt: video.deletedAt,
    gateClosesAt: video.gateClosesAt,
    publishedAt: video.publishedAt,
    playbackId: video.playbackId,
    ladderKey: video.ladderKey,
    thumbnailKey: video.thumbnailKey,
    durationMs: video.durationMs,
    failure: video.failure ?? Prisma.DbNull,
    warnings: video.warnings.map((warning) => ({ ...warning })),
    captions: video.captions.map((track) => ({ ...track, path: [...track.path] })),
    captionsRevision: video.captionsRevision,
    transcriptKey: video.transcriptKey,
    transcriptRevision: video.transcriptRevision,
    sourceUrl: video.sourceUrl,
    summary: video.summary,
    tags: [...video.tags],
    thumbnailUrl: video.thumbnailUrl,
  };
}

async function writeStages(tx: Transaction, { plan, was, now, remindFirstMs }: WritePlan): Promise<void> {
  const videoId = plan.video.id;
  const remindAt = after(now, remindFirstMs);
  for (const status of plan.stages.filter((candidate) => !was.includes(candidate))) {
    const { stage, attempt, reached, ...rest } = status;
    const before = was.find((one) => one.stage === stage && one.attempt === attempt);
    const isAsked = plan.requests.some((asking) => asking.stage === stage);
    const reminding = isAsked ? { remindAt, reminders: 0 } : !isOpen(status) && { remindAt: null };
    const data = { ...rest, reached: [...reached], ...reminding };
    // A mark moves a stage alone, without a version of its video: what was marked meanwhile must not be written over.
    const { state, progress, revision } = before ?? status;
    const where = { videoId, attempt, stage, state, progress, revision };
    const { count } = await tx.stage.updateMany({ where, data });
    if (count === 0) throw new Overtaken();
  }
  if (has(plan, 'hush-stages')) await tx.stage.updateMany({ where: { videoId }, data: { remindAt: null } });
  const first = plan.requests.filter(({ revision }) => revision === 0);
  if (first.length === 0) return;
  const owners = new Map(stageList.map((stage) => [stage.name, stage.owner]));
  await tx.stage.createMany({
    data: first.map((asking) => ({
      ...asking,
      videoId,
      attempt: plan.video.attempt,
      owner: owners.get(asking.stage) ?? '',
      requestedAt: now,
      remindAt,
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
  await tx.clip.create({
    data: {
      videoId: video.id,
      publisherId: video.publisherId,
      title: video.title,
      summary: video.summary,
      sport: video.sport,
      category: video.category,
      languageCode: video.languageCode,
      thumbnailUrl: video.thumbnailUrl,
      tags: [...video.tags],
      durationMs: video.durationMs ?? 0,
      playbackId: video.playbackId ?? '',
      publishedAt: video.publishedAt ?? video.updatedAt,
    },
  });
}

/** A later asking for the same removal replaces the earlier one; an answer to the earlier then no longer counts. */
async function writePurges(tx: Transaction, { plan, now, remindFirstMs }: WritePlan): Promise<void> {
  const videoId = plan.video.id;
  if (has(plan, 'drop-purges')) await tx.purge.deleteMany({ where: { videoId } });
  for (const effect of plan.effects) {
    if (effect.type !== 'purge') continue;
    const { scope, keepAttempt, owners, at } = effect.purge;
    await tx.purge.deleteMany({ where: { videoId, scope, owner: { in: [...owners] } } });
    const remindAt = at > now ? at : after(now, remindFirstMs);
    const data = owners.map((owner) => ({ videoId, owner, scope, keepAttempt, dueAt: at, remindAt }));
    await tx.purge.createMany({ data });
  }
}

function messagesOf({ plan, now }: WritePlan): Outgoing[] {
  const { video, stages, requests, effects } = plan;
  const made = outputsOf(stages);
  return [
    changedMessage(video),
    ...requests.map((asking) => requestMessage(asking, video, made)),
    ...(has(plan, 'cancel') ? [cancelledMessage(video)] : []),
    ...effects.flatMap((effect) =>
      effect.type === 'purge' && effect.purge.at <= now
        ? [purgeMessage(video.id, effect.purge, `${effect.purge.keepAttempt}-${video.version}`)]
        : [],
    ),
  ];
}

/** Postgres ended one of two transactions that waited for each other (https://pris.ly/d/error-reference#p2034). */
function isDeadlock(error: unknown): boolean {
  return (
    error instanceof Prisma.PrismaClientKnownRequestError &&
    (error.code === 'P2034' || (error.code === 'P2010' && error.meta?.['code'] === '40P01'))
  );
}
