/** What each verb of the operator's staff would come to, decided by what decides it when it is asked. */
import { decideCommand, type Nothing, type Plan, type Refusal, type Snapshot, type Surroundings } from './plan.ts';
import { decideRepeat } from './repeat.ts';
import { stages as allStages } from './stages.ts';
import { inWords } from './words.ts';

export type Prospect = {
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
export function prospects(snapshot: Snapshot, around: Surroundings): readonly Prospect[] {
  const was = inWords(snapshot.video);
  const prospect = (verb: string, outcome: Plan | Nothing | Refusal): Prospect => {
    if (outcome.kind === 'refuse') return { verb, refused: outcome.message, was, becomes: was };
    return { verb, was, becomes: outcome.kind === 'plan' ? inWords(outcome.video) : was };
  };
  const { list = allStages } = around;
  return [
    ...verbs.map((type) => prospect(type, decideCommand(snapshot, { type }, around))),
    ...list.map(({ name }) => prospect(`repeat ${name}`, decideRepeat(snapshot, name, around))),
    prospect('repeat', decideRepeat(snapshot, '', around)),
  ];
}
