/**
 * The store behind every decision: read a snapshot, decide, write with compare-and-set, and decide again when somebody
 * else was faster. Right with any number of replicas: nothing is locked while deciding.
 */
import { randomInt } from 'node:crypto';
import { AppError } from '@vds/chassis/errors';
import type { Pool } from '@vds/chassis/database/database';
import type { Times } from '../config.ts';
import type { StageUpdate } from '../domain/stage-events.ts';
import type { NoOp, Plan, Refusal, Snapshot, DecisionContext } from '../domain/plan.ts';
import type { Video } from '../domain/video.ts';
import { auditRow, type By } from './audit.ts';
import type { PrismaClient } from './prisma.ts';
import { loadSnapshot, type Loaded } from './snapshots.ts';
import { writePlan } from './write-plan.ts';

export type Outcome = Plan | StageUpdate | NoOp | Refusal;
export type Decide = (snapshot: Snapshot, around: DecisionContext) => Outcome;

type Deps = {
  readonly pool: Pool;
  readonly prisma: PrismaClient;
  readonly times: Omit<Times, 'tickMs' | 'remindEveryMs'>;
  /** Called after every commit that has something to say. */
  readonly wake: () => void;
  /** Called with every plan that was written. */
  readonly observe: (plan: Plan, now: Date) => void;
};

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export type VideoStore = ReturnType<typeof openVideoStore>;

export function openVideoStore(parts: Deps) {
  const { pool, prisma, times, wake, observe } = parts;

  /** @returns false when the decision was made from what is no longer so */
  const write = async (snapshot: Loaded, outcome: Outcome, by: By): Promise<boolean> => {
    if (outcome.kind === 'refuse') return true;
    if (outcome.kind === 'mark') return writeStageUpdate(pool, snapshot.video, outcome);
    if (outcome.kind === 'nothing') {
      const row = auditRow(snapshot.video, snapshot.video, by, snapshot.now);
      if (row) await prisma.audit.create({ data: row });
      return true;
    }
    const { remindFirstMs } = times;
    const given = { plan: outcome, was: snapshot.stages, now: snapshot.now, by, remindFirstMs };
    if (!(await writePlan(prisma, given))) return false;
    wake();
    observe(outcome, snapshot.now);
    return true;
  };

  /**
   * Decides on the video as it is now, and writes what was decided.
   * @param publisherId given: another publisher's video is absent
   * @returns undefined when there is no such video
   * @throws AppError ABORTED when the video kept changing meanwhile
   */
  const change = async (
    id: string,
    decide: Decide,
    by: By,
    publisherId?: string,
  ): Promise<{ readonly snapshot: Loaded; readonly outcome: Outcome } | undefined> => {
    for (let round = 0; round < 50; round++) {
      const snapshot = await loadSnapshot(pool, id, publisherId);
      if (!snapshot) return undefined;
      const outcome = decide(snapshot, { ...times, now: snapshot.now, newPlaybackId: newPlaybackId() });
      if (await write(snapshot, outcome, by)) return { snapshot, outcome };
    }
    throw new AppError('ABORTED', `video ${id} kept changing; try again`);
  };
  return { change };
}

/**
 * Writes to one stage alone, if it and its video are still as they were read. The video's row is locked against changes
 * meanwhile, and before the stage's, as a plan does it.
 * @returns false when the decision was made from what is no longer so
 */
export async function writeStageUpdate(
  pool: Pool,
  { id, version }: Pick<Video, 'id' | 'version'>,
  { before, status }: StageUpdate,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'catalog-mark',
    text: `WITH same AS (SELECT id FROM videos WHERE id = $1 AND version = $11 FOR SHARE)
      UPDATE stages SET state = $5, progress = $6, started_at = $7, due_at = $8 FROM same
      WHERE video_id = same.id AND attempt = $2 AND stage = $3 AND state = $4 AND progress = $9
        AND revision = $10`,
    values: [
      id,
      status.attempt,
      status.stage,
      before.state,
      status.state,
      status.progress,
      status.startedAt,
      status.dueAt,
      before.progress,
      before.revision,
      version,
    ],
  });
  return rowCount === 1;
}

/** 160 bits in base62: nobody guesses one. */
function newPlaybackId(): string {
  return Array.from({ length: 27 }, () => alphabet[randomInt(alphabet.length)]).join('');
}
