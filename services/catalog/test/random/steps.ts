/** What may be asked and said of one video, one after the other or at once. */
import fc from 'fast-check';
import { stages } from '../../src/domain/stages.ts';

export const orders = ['archive', 'republish', 'delete'] as const;
export const verbs = ['retry', 'hold', 'release', 'remove'] as const;
export const words = ['started', 'progressed', 'audio', 'tracks', 'completed', 'failed'] as const;

export type Step =
  /** A partner's order; `foreign`: by another publisher than the video's. */
  | { readonly do: 'order'; readonly type: (typeof orders)[number]; readonly door: number; readonly foreign: boolean }
  | { readonly do: 'verb'; readonly type: (typeof verbs)[number]; readonly door: number }
  | {
      readonly do: 'word';
      readonly word: (typeof words)[number];
      /** A stage, or the first that is open. */
      readonly stage: string;
      /** Of the attempt before. */
      readonly old: boolean;
      /** Of another asking than the stage's own. */
      readonly stale: boolean;
      /** Over NATS to whichever replica takes it, not through the door of events at once. */
      readonly bus: boolean;
    }
  /** The clock's round at the database's time and `ms` more. */
  | { readonly do: 'clock'; readonly ms: number };

/** Steps of one inner list are taken at once. */
export type Sequence = readonly (readonly Step[])[];

const door = fc.nat({ max: 2 });
const seldom = fc.nat({ max: 7 }).map((n) => n === 7);
const the = fc.constant;
const order = fc.record({
  do: the('order' as const),
  type: fc.constantFrom('archive', 'archive', 'archive', 'republish', 'republish', 'republish', 'delete'),
  door,
  foreign: seldom,
});
const verb = fc.record({
  do: the('verb' as const),
  type: fc.constantFrom('retry', 'retry', 'hold', 'release', 'remove'),
  door,
});
const word = fc.record({
  do: the('word' as const),
  word: fc.constantFrom('completed', 'completed', 'completed', 'completed', ...words),
  stage: fc.constantFrom('open', 'open', 'open', ...stages.map(({ name }) => name)),
  old: seldom,
  stale: seldom,
  bus: seldom,
});
const clock = fc.record({ do: the('clock' as const), ms: fc.constantFrom(0, 0, 600_000, 8 * 86_400_000) });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: order },
  { weight: 1, arbitrary: verb },
  { weight: 5, arbitrary: word },
  { weight: 1, arbitrary: clock },
);
const atOnce = fc.array(step, { minLength: 2, maxLength: 3 });
const ladder: Sequence = ['fetch', 'inspect', 'encode'].map((stage) => said('completed', stage));
/** Most sequences are on their way already, as little of what can follow would be reached else. */
const begun: readonly Sequence[] = [
  [],
  ladder,
  [...ladder, ...['captions', 'metadata'].map((stage) => said('completed', stage))],
  [said('completed', 'fetch'), said('failed', 'inspect')],
];

/** At most twenty steps. */
const most = 20;

export const sequences: fc.Arbitrary<Sequence> = fc
  .tuple(
    fc.constantFrom(...begun),
    fc.array(fc.oneof({ weight: 3, arbitrary: step.map((one) => [one]) }, { weight: 1, arbitrary: atOnce }), {
      minLength: 1,
      maxLength: most,
      size: 'max',
    }),
  )
  .map(([first, rest]) => cut([...first, ...rest]));

function cut(sequence: Sequence): Sequence {
  let left = most;
  return sequence.flatMap((group) => {
    const kept = group.slice(0, left);
    left -= kept.length;
    return kept.length === 0 ? [] : [kept];
  });
}

function said(word: 'completed' | 'failed', stage: string): readonly Step[] {
  return [{ do: 'word', word, stage, old: false, stale: false, bus: false }];
}
