/** A queue of this process: its circuit breaker, and its claims, one at a time, so that each sees what the others hold. */
import pLimit from 'p-limit';
import { createBreaker } from '../process/breaker.ts';
import { claim, releaseUnanswered, type ClaimOptions } from './claim.ts';
import type { ClaimedJob } from './job-rows.ts';
import type { Claimed, Deps as JobDeps, Queue } from './run-job.ts';
import { halfEach, takenShares } from './shares.ts';

export type Deps = Pick<JobDeps, 'pool' | 'log' | 'leaseMs' | 'occupancy' | 'running' | 'stopping'> & {
  /** Identifies this process. */
  readonly claimant: string;
  /** Whether jobs of others whose lease has expired may be claimed. */
  readonly mayTakeExpired: () => boolean;
  /** First pause of its circuit breaker. */
  readonly firstPauseMs: number;
};
export type OpenQueue = ReturnType<typeof openQueue>;

/** Of so many tenants at most the turns are remembered. */
const rememberedTurns = 100;

export function openQueue(deps: Deps, name: string, queue: Queue) {
  const { log, occupancy, running } = deps;
  const breaker = createBreaker({
    firstPauseMs: deps.firstPauseMs,
    onChange: (open) =>
      open
        ? log.error({ queue: name }, 'a dependency is away: the queue is paused')
        : log.info({ queue: name }, 'the queue goes on'),
  });
  const inTurn = pLimit(1);
  const turns = openTurns();
  /** Until then a claim whose reply was lost may still be carried out. */
  let unansweredUntil = 0;

  const claimNow = async (isProbe: boolean): Promise<Claimed | undefined> => {
    const leave = await occupancy.enter();
    let job: ClaimedJob | undefined;
    try {
      if (deps.stopping.aborted) return undefined;
      const options = claimOptions(deps, name, queue, turns.served());
      if (performance.now() < unansweredUntil) await releaseUnanswered(deps.pool, name, options);
      // What blocks some jobs may concern them alone: probes of them only would pause the others for ever.
      if (isProbe) job = await claim(deps.pool, name, { ...options, unblocked: true });
      job ??= await claim(deps.pool, name, options);
    } finally {
      if (!job) leave();
    }
    if (!job) return undefined;
    turns.add(job.tenant);
    const abort = new AbortController();
    running.set(job.id, { job, abort });
    return { job, claimedAt: performance.now(), leave, abort, breaker, isProbe };
  };

  return {
    ...queue,
    name,
    breaker,
    /**
     * Claims the next job. Returns undefined when there is none, and for how many milliseconds to wait while the breaker
     * is open.
     */
    claimNext: (): Promise<Claimed | number | undefined> =>
      inTurn(async () => {
        const admitted = breaker.admit();
        if (typeof admitted === 'number') return admitted;
        const isProbe = admitted === 'probe';
        try {
          const next = await claimNow(isProbe);
          if (isProbe && !next) breaker.probeEnded();
          return next;
        } catch (error) {
          unansweredUntil = performance.now() + deps.leaseMs;
          if (isProbe) breaker.probeEnded();
          throw error;
        }
      }),
  };
}

function claimOptions(
  { running, leaseMs, claimant, mayTakeExpired }: Deps,
  name: string,
  { slots, shares = halfEach }: Queue,
  served: readonly string[],
): ClaimOptions {
  const holders = [...running.values()].map(({ job }) => job).filter((held) => held.queue === name);
  return {
    ...takenShares(holders, slots, shares),
    ...{ leaseMs, claimant, idle: running.size === 0, quarantineWaitMs: leaseMs, expired: mayTakeExpired() },
    ...{ held: [...running.keys()], served },
  };
}

/** Whose jobs were claimed, the latest last. */
function openTurns() {
  let served: readonly string[] = [];
  return {
    served: () => served,
    add: (tenant: string): void => {
      served = [...served.filter((one) => one !== tenant), tenant].slice(-rememberedTurns);
    },
  };
}
