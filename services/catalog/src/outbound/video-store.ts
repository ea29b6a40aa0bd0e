/**
 * The store behind every decision: reads a snapshot, decides, writes with compare-and-set, and decides again after a
 * conflict. Correct with any number of replicas: nothing is locked while deciding.
 */
import { randomInt } from 'node:crypto';
import { AppError } from '@vds/chassis/errors';
import type { Pool } from '@vds/chassis/database/database';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import type { Times } from '../config.ts';
import type { StageUpdate } from '../domain/stage-events.ts';
import type { DecisionContext, NoOp, Rejection } from '../domain/commands.ts';
import type { Plan, Snapshot } from '../domain/plan.ts';
import type { Video } from '../domain/video.ts';
import { addAudit, auditRow, type By } from './audit-rows.ts';
import { loadSnapshot, type Loaded } from './snapshots.ts';
import { writePlan } from './write-plan.ts';

export type Outcome = Plan | StageUpdate | NoOp | Rejection;
export type Decide = (snapshot: Snapshot, context: DecisionContext) => Outcome;

export type Deps = {
  readonly pool: Pool;
  readonly times: Omit<Times, 'schedulerEveryMs' | 'republishMaxMs' | 'decideAfterConnectMs'>;
  /** Called after every commit with messages to publish. */
  readonly notify: () => void;
  /** Called with every plan that was written. */
  readonly onPlan: readonly ((plan: Plan, now: Date) => void)[];
};

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export type VideoStore = ReturnType<typeof openVideoStore>;

export function openVideoStore(deps: Deps) {
  const { pool, times, notify, onPlan } = deps;

  /** @returns false when the decision was made from an outdated snapshot */
  const write = async (snapshot: Loaded, outcome: Outcome, by: By): Promise<boolean> => {
    if (outcome.kind === 'reject') return true;
    if (outcome.kind === 'stage-update') return writeStageUpdate(pool, snapshot.video, outcome);
    if (outcome.kind === 'no-op') {
      const row = auditRow(snapshot.video, snapshot.video, by, snapshot.now);
      if (row) await addAudit(pool, row);
      return true;
    }
    const { republishFirstMs } = times;
    const { stages, now } = snapshot;
    await failpoint('catalog.decision-made');
    if (!(await writePlan(pool, { plan: outcome, stages, now, by, republishFirstMs }))) return false;
    await failpoint('catalog.decision-committed');
    notify();
    for (const observe of onPlan) observe(outcome, now);
    return true;
  };

  /**
   * Decides on the video as it is now, and writes the decision.
   * @param publisherId if set, another publisher's video is absent
   * @returns undefined when there is no such video
   * @throws AppError ABORTED when the video kept changing
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
      const outcome = decide(snapshot, contextOf(deps, snapshot));
      if (await write(snapshot, outcome, by)) return { snapshot, outcome };
    }
    throw new AppError('ABORTED', `video ${id} kept changing; try again`);
  };
  return {
    change,
    /** The result of `look` at the current video; nothing is written. Undefined when there is no such video. */
    consider: async <T>(
      id: string,
      look: (snapshot: Snapshot, context: DecisionContext) => T,
    ): Promise<T | undefined> => {
      const snapshot = await loadSnapshot(pool, id);
      return snapshot && look(snapshot, contextOf(deps, snapshot));
    },
  };
}

/**
 * Writes to only one stage, if it and its video are unchanged since they were read. The video's row is locked against
 * changes, and before the stage's, in the order in which a plan locks them.
 * @returns false when the decision was made from an outdated snapshot
 */
export async function writeStageUpdate(
  pool: Pool,
  { id, version }: Pick<Video, 'id' | 'version'>,
  { before, status }: StageUpdate,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'catalog-update-stage',
    text: `WITH same AS (SELECT id FROM videos WHERE id = $1 AND version = $10 FOR SHARE)
      UPDATE stages SET state = $5, progress = $6, started_at = $7, waiting = $11 FROM same
      WHERE video_id = same.id AND attempt = $2 AND stage = $3 AND state = $4 AND progress = $8
        AND revision = $9`,
    values: [
      id,
      status.attempt,
      status.stage,
      before.state,
      status.state,
      status.progress,
      status.startedAt,
      before.progress,
      before.revision,
      version,
      status.waiting ?? null,
    ],
  });
  return rowCount === 1;
}

function contextOf({ times }: Deps, { now, storageSpent }: Loaded): DecisionContext {
  return { ...times, now, storageSpent, newPlaybackId: newPlaybackId() };
}

/** 160 bits in base62: cannot be guessed. */
function newPlaybackId(): string {
  return Array.from({ length: 27 }, () => alphabet[randomInt(alphabet.length)]).join('');
}
