/** How far the stages of a video have come, as one number. */
import type { Stage } from './stage.ts';
import { hasEnded, type StageStatus } from './stage-status.ts';
import { stages } from './stages.ts';

type Counted = Pick<StageStatus, 'stage' | 'state' | 'progress' | 'revision'>;

/**
 * Progress of a video that is processing, 0 to 99, from the stages of one attempt; whole numbers, rounded down. The last
 * step is the video's own: it is no longer processing then.
 */
export function overallProgress(statuses: readonly Counted[], list: readonly Stage[] = stages): number {
  const whole = list.reduce((sum, stage) => sum + stage.weight, 0);
  const done = list.reduce((sum, stage) => {
    const status = statuses.find((candidate) => candidate.stage === stage.name);
    return sum + stage.weight * percentOf(stage, status);
  }, 0);
  return whole === 0 ? 0 : Math.min(99, Math.floor(done / whole));
}

/** 0 to 100 of one stage. What the video can do without counts as whole once it has ended, however it ended. */
function percentOf(stage: Stage, status: Counted | undefined): number {
  if (status === undefined) return 0;
  if (status.state === 'completed' || (!stage.blocksReady && hasEnded(status))) return 100;
  return Math.min(99, Math.max(0, status.progress));
}
