/**
 * Ends stages that stand still or have used up their work. The process that runs a stage's jobs is the one that knows,
 * so each process watches its own. While the database is away nothing is decided and no time counts.
 */
import { withTransaction, type Pool, type PoolClient } from '../database/database.ts';
import { classify, messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Job } from '../work/run-job.ts';
import type { BoundStage } from './define-stage.ts';
import { addWork, cancelOpenStage, readOpenStages, readyStages, type JobStage, type OpenStage } from './stall-rows.ts';
import { countedMs, observe, passedLimit, type Stall } from './stage-limits.ts';

export type Deps = {
  readonly pool: Pool;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly stages: readonly BoundStage[];
  /** How often stages are checked. */
  readonly tickMs: number;
  /** The queues whose jobs this process claims. */
  readonly queues: readonly string[];
  /** Ends the stage, with what belongs to it. */
  readonly abortStage: (client: PoolClient, stage: OpenStage) => Promise<void>;
  /** Called after a stage was ended. */
  readonly onEnded: () => void;
};
export type Deadlines = ReturnType<typeof openDeadlines>;

/** What the worker of this process knows. */
export type WorkerState = {
  /** Whether it runs no job, and would if it found any. */
  readonly isIdle: () => boolean;
  /** Whether it claims no jobs of the queue for now, as something that they need is away. */
  readonly isPaused: (queue: string) => boolean;
};
type Watched = JobStage & Pick<Job, 'queue' | 'signal' | 'progress'>;
/** A running try. */
type Try = {
  readonly stage: JobStage;
  readonly queue: string;
  countedAt: number;
  /** Work that is not in the stage's row yet: whether it counts shows when the try ends. */
  workedMs: number;
  percent: number;
};

/** `check` is to be called every `tickMs`, and `watch` with each try. */
export function openDeadlines(deps: Deps) {
  const { pool, tickMs } = deps;
  const tries = new Set<Try>();
  const judge = openJudge(deps);
  let known: ReadonlyMap<string, Stall> = new Map();
  let usedAt = performance.now();

  /** Checks the stages of running tries; where this process runs no job, those of jobs that it could run. */
  const check = async (worker: WorkerState): Promise<void> => {
    const { isPaused } = worker;
    if (!worker.isIdle()) usedAt = performance.now();
    const queues = deps.queues.filter((queue) => !isPaused(queue));
    const isIdle = performance.now() - usedAt >= tickMs && queues.length > 0;
    const running = withoutPaused([...tries], isPaused);
    const watched = isIdle ? await readyStages(pool, queues, tickMs) : running.map(({ stage }) => stage);
    const open = watched.length === 0 ? [] : await readOpenStages(pool, distinct(watched));
    const next = new Map<string, Stall>();
    for (const stage of open) {
      const ofStage = running.filter((one) => textOf(one.stage) === textOf(stage));
      const elapsedMs = isIdle ? tickMs : Math.max(0, ...ofStage.map((one) => count(one, tickMs)));
      const mark = [stage.mark, ...ofStage.map(({ percent }) => percent)].join('+');
      const stall = observe(known.get(textOf(stage)), mark, elapsedMs);
      next.set(textOf(stage), stall);
      const workedMs = ofStage.reduce((sum, one) => sum + one.workedMs, stage.workedMs);
      await judge(stage, { stalledMs: stall.ms, workedMs });
    }
    known = next;
  };

  return {
    check,
    /**
     * Runs one try of a stage's job.
     * @param run gets the job's `progress`, every new value of which is a move
     */
    watch: async (job: Watched, run: (progress: Job['progress']) => Promise<void>): Promise<void> => {
      const { stage, videoId, attempt, revision, queue, signal } = job;
      const key = { stage, videoId, attempt, revision };
      const one: Try = { stage: key, queue, countedAt: performance.now(), workedMs: 0, percent: 0 };
      tries.add(one);
      let counts = true;
      try {
        await run((percent) => {
          one.percent = percent;
          job.progress(percent);
        });
      } catch (error) {
        counts = !signal.aborted && !['dependency', 'crash'].includes(classify(error).class);
        throw error;
      } finally {
        tries.delete(one);
        usedAt = performance.now();
        count(one, tickMs);
        if (counts) await recordWork(deps, one);
      }
    },
  };
}

/** Tries of a paused queue wait for what is away: their time does not count. */
function withoutPaused(tries: readonly Try[], isPaused: (queue: string) => boolean): readonly Try[] {
  for (const one of tries) if (isPaused(one.queue)) one.countedAt = performance.now();
  return tries.filter(({ queue }) => !isPaused(queue));
}

/** Counts the time of a try since it was counted last, and returns it. */
function count(one: Try, tickMs: number): number {
  const now = performance.now();
  const elapsedMs = countedMs(now - one.countedAt, tickMs);
  one.countedAt = now;
  one.workedMs += elapsedMs;
  return elapsedMs;
}

/** Writes the work of a try that has ended; work that cannot be written is not counted. */
async function recordWork({ pool, log }: Deps, { stage, workedMs }: Try): Promise<void> {
  await addWork(pool, stage, workedMs).catch((error: unknown) =>
    log.info({ reason: messageOf(error) }, 'the work of a try could not be counted'),
  );
}

/** Ends an open stage that has passed one of its limits. */
function openJudge({ pool, log, metrics, stages, abortStage, onEnded }: Deps) {
  const passed = metrics.counter('vds_stage_limits_passed_total', 'Stages that ended because they passed a limit', [
    'stage',
    'limit',
  ]);
  // Initialised to 0, or increase() misses the first one.
  for (const { name: stage } of stages) for (const limit of ['stalled', 'over_budget']) passed.inc({ stage, limit }, 0);
  return async (open: OpenStage, spent: { readonly stalledMs: number; readonly workedMs: number }): Promise<void> => {
    const definition = stages.find((one) => one.name === open.stage);
    const limit = definition && passedLimit(definition.limits(open, definition.deps), spent);
    if (!limit) return;
    await withTransaction(pool, async (client) => {
      await cancelOpenStage(client, open);
      await abortStage(client, open);
    });
    passed.inc({ stage: open.stage, limit });
    log.error({ ...spent, video_id: open.videoId, stage: open.stage, limit }, 'a stage has passed its limit');
    onEnded();
  };
}

function distinct(stages: readonly JobStage[]): readonly JobStage[] {
  return [...new Map(stages.map((stage) => [textOf(stage), stage])).values()];
}

function textOf({ stage, videoId, attempt, revision }: JobStage): string {
  return `${stage}/${videoId}/${attempt}/${revision}`;
}
