/** The operator's actions beyond plain commands: a rerun of one stage, and a preview of what each action would do now. */
import { reject, situationOf, type DecisionContext, type NoOp, type Rejection } from './commands.ts';
import { advance, decideCommand, type Plan, type Snapshot } from './plan.ts';
import { isOpen, nextRequest, reopened, replaced, stages as allStages } from './stages.ts';
import { describeState } from './video.ts';

export type ActionPreview = {
  /** `retry`, `hold`, `release`, `remove`, `rerun <stage>`; plain `rerun` for a stage that is not in the list. */
  readonly action: string;
  /** The message of the rejection, if it would be rejected. */
  readonly rejection?: string;
  /** States as the audit describes them. */
  readonly was: string;
  readonly becomes: string;
};

const commands = ['retry', 'hold', 'release', 'remove'] as const;
const listFormat = new Intl.ListFormat('en-GB');

/** The outcome of every action on the video as it is now; nothing is written. */
export function previewActions(snapshot: Snapshot, context: DecisionContext): readonly ActionPreview[] {
  const was = describeState(snapshot.video);
  const preview = (action: string, outcome: Plan | NoOp | Rejection): ActionPreview => {
    if (outcome.kind === 'reject') return { action, rejection: outcome.message, was, becomes: was };
    return { action, was, becomes: outcome.kind === 'plan' ? describeState(outcome.video) : was };
  };
  const { list = allStages } = context;
  return [
    ...commands.map((type) => preview(type, decideCommand(snapshot, { type }, context))),
    ...list.map(({ name }) => preview(`rerun ${name}`, decideRerun(snapshot, name, context))),
    preview('rerun', decideRerun(snapshot, '', context)),
  ];
}

/** Requests a stage again within the attempt, for example with better engines; a rejection names the alternative. */
export function decideRerun({ video, stages }: Snapshot, name: string, context: DecisionContext): Plan | Rejection {
  const { list = allStages, now } = context;
  const stage = list.find((candidate) => candidate.name === name);
  const status = stages.find((candidate) => candidate.stage === name);
  if (!stage || stage.blocksReady) {
    const names = list.filter(({ blocksReady }) => !blocksReady).map((other) => other.name);
    return reject(
      `Only ${listFormat.format(names)} can be run again. The other stages run again when a failed video is retried.`,
    );
  }
  const situation = situationOf(video);
  if (situation === 'failed') return reject('This video has failed: retry it, and every stage runs again.');
  if (situation === 'deleted' || situation === 'deleting')
    return reject('This video is deleted, or about to be deleted.');
  if (!status) return reject(`${name} has not been requested yet: it runs as soon as its needs are met.`);
  if (isOpen(status)) return reject(`${name} has not ended yet; try again when it has.`);
  const request = nextRequest(stage, status, video);
  const open = replaced(stages, reopened(status, request, now));
  return advance(video, {}, open, context, { requests: [request] });
}
