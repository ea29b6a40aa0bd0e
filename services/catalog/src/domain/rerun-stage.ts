/** Asking by hand for a stage once more within the attempt: with engines that are better now, say. */
import { situationOf } from './commands.ts';
import { advance, type Plan, type Refusal, type Snapshot, type DecisionContext } from './plan.ts';
import { isOpen, nextRequest, reopened, replaced } from './stage-status.ts';
import { stages as allStages } from './stages.ts';

const inWords = new Intl.ListFormat('en-GB');

/** What comes of it; a refusal says what can be done instead. */
export function decideRerun({ video, stages }: Snapshot, name: string, around: DecisionContext): Plan | Refusal {
  const { list = allStages, now } = around;
  const stage = list.find((candidate) => candidate.name === name);
  const status = stages.find((candidate) => candidate.stage === name);
  if (!stage || stage.blocksReady) {
    const names = list.filter(({ blocksReady }) => !blocksReady).map((other) => other.name);
    return refuse(
      `Only ${inWords.format(names)} can be asked for once more. What a video cannot do without is made anew by retrying the video, once it has failed.`,
    );
  }
  const situation = situationOf(video);
  if (situation === 'failed') return refuse('This video has failed: retry the video, and every stage is made anew.');
  if (situation === 'deleted' || situation === 'deleting') return refuse('This video is deleted, or about to be.');
  if (!status) return refuse(`${name} has not been asked for yet: it follows by itself when what it needs is there.`);
  if (isOpen(status)) return refuse(`${name} has not ended yet; ask again when it has.`);
  const asking = nextRequest(stage, status, video);
  const open = replaced(stages, reopened(status, asking, now));
  return advance(video, {}, open, around, { requests: [asking] });
}

function refuse(message: string): Refusal {
  return { kind: 'refuse', code: 'FAILED_PRECONDITION', message };
}
