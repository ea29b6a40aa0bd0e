/** What each verb of the operator's staff would come to, decided by what decides it when it is asked. */
import { decideCommand, type NoOp, type Plan, type Refusal, type Snapshot, type DecisionContext } from './plan.ts';
import { decideRerun } from './rerun-stage.ts';
import { stages as allStages } from './stages.ts';
import { describeState } from './describe-state.ts';

export type ActionPreview = {
  /** `repeat` alone stands for a stage that is not in the list. */
  readonly verb: string;
  /** The sentence of the refusal, if it would be one. */
  readonly refused?: string;
  /** In the audit's words. */
  readonly was: string;
  readonly becomes: string;
};

const verbs = ['retry', 'hold', 'release', 'remove'] as const;

/** Every verb as it would end now; nothing is written. */
export function previewActions(snapshot: Snapshot, around: DecisionContext): readonly ActionPreview[] {
  const was = describeState(snapshot.video);
  const prospect = (verb: string, outcome: Plan | NoOp | Refusal): ActionPreview => {
    if (outcome.kind === 'refuse') return { verb, refused: outcome.message, was, becomes: was };
    return { verb, was, becomes: outcome.kind === 'plan' ? describeState(outcome.video) : was };
  };
  const { list = allStages } = around;
  return [
    ...verbs.map((type) => prospect(type, decideCommand(snapshot, { type }, around))),
    ...list.map(({ name }) => prospect(`repeat ${name}`, decideRerun(snapshot, name, around))),
    prospect('repeat', decideRerun(snapshot, '', around)),
  ];
}
