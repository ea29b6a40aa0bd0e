/** What the pure functions say will come of actions, and whether that is what came. */
import { auditRow, type By } from '../../src/outbound/audit.ts';
import { decideCommand, type Plan, type Snapshot } from '../../src/domain/plan.ts';
import { replaced } from '../../src/domain/stage-status.ts';
import type { Decide, Outcome } from '../../src/outbound/video-store.ts';
import type { Loaded } from '../../src/outbound/snapshots.ts';
import { applied } from '../play.ts';
import { around } from '../support.ts';

/** One thing that is asked of catalog, and what decides on it. */
export type Action = {
  readonly decide: Decide;
  readonly by: By;
  /** Asks for it, and says in short what was answered. */
  readonly ask: () => Promise<string>;
  /** By a publisher who does not own the video. */
  readonly foreign?: boolean;
};
/** What is written beside the row and its stages: the ledger of removals and the audit. */
export type Books = { readonly ledger: readonly string[]; readonly audit: readonly string[] };
type Moment = Books & { readonly snapshot: Snapshot };

export function commanding(type: 'archive' | 'republish' | 'delete' | 'retry' | 'hold' | 'release' | 'remove'): Decide {
  return (snapshot, surroundings) => decideCommand(snapshot, { type }, surroundings);
}

/**
 * Every way in which the actions, one after the other in some order, lead to these answers and this state.
 * @param books what may have been written so far
 */
export function ways(
  before: Loaded,
  actions: readonly Action[],
  answers: readonly string[],
  after: Snapshot,
  books: readonly Books[],
): readonly Books[] {
  const is = shown(after);
  const found = books.flatMap((book) =>
    orders(actions).flatMap((inOrder): Books[] => {
      let moment: Moment = { ...book, snapshot: before };
      for (const action of inOrder) {
        const [next, answer] = follow(moment, action, before.now);
        if (answer !== answers[actions.indexOf(action)]) return [];
        moment = next;
      }
      return shown(moment.snapshot) === is ? [{ ledger: moment.ledger, audit: moment.audit }] : [];
    }),
  );
  return [...new Map(found.map((book) => [JSON.stringify(book), book])).values()];
}

/** Everything but the times themselves, and the playback id, which is minted. */
export function shown({ video, stages }: Snapshot): string {
  return plain({
    video: { ...video, playbackId: video.playbackId !== null },
    stages: stages.map((status) => plain({ ...status, reached: status.reached.toSorted() })).toSorted(),
  });
}

/** Text that is the same for the same facts: no order of names, no times themselves. */
function plain(value: unknown): string {
  if (value instanceof Date) return 'a time';
  if (Array.isArray(value)) return `[${value.map(plain).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'nothing';
  const fields = Object.entries(value).map(([name, field]) => `${name}:${plain(field)}`);
  return `{${fields.toSorted().join()}}`;
}

function orders<T>(list: readonly T[]): readonly (readonly T[])[] {
  return list.length < 2
    ? [list]
    : list.flatMap((one, at) => orders(list.filter((_, other) => other !== at)).map((rest) => [one, ...rest]));
}

function follow(moment: Moment, { decide, by, foreign }: Action, now: Date): readonly [Moment, string] {
  if (foreign) return [moment, 'NOT_FOUND'];
  const { snapshot, ledger, audit } = moment;
  const outcome = decide(snapshot, around(now));
  const answer = answerTo(outcome, by);
  if (outcome.kind === 'refuse') return [moment, answer];
  const video = outcome.kind === 'plan' ? outcome.video : snapshot.video;
  const row = outcome.kind === 'mark' ? undefined : auditRow(snapshot.video, video, by, now);
  const line = row && [row.actor, row.action, row.was, row.became, row.reason].join(' | ');
  const next: Snapshot =
    outcome.kind === 'plan'
      ? applied(snapshot, outcome, now)
      : { ...snapshot, stages: outcome.kind === 'mark' ? replaced(snapshot.stages, outcome.status) : snapshot.stages };
  return [
    {
      snapshot: next,
      ledger: outcome.kind === 'plan' ? ledgerAfter(ledger, outcome) : ledger,
      audit: line === undefined ? audit : [...audit, line],
    },
    answer,
  ];
}

/** What is answered: to a partner the reply, to staff that it is so, to an owner nothing. */
function answerTo(outcome: Outcome, by: By): string {
  if (outcome.kind === 'refuse') return `${outcome.code} ${outcome.message}`;
  if (by.always === true) return 'done';
  if (outcome.kind === 'mark' || !outcome.reply) return 'heard';
  const { status, message = '', queued } = outcome.reply;
  return `${queued ? 202 : 200} ${status} ${message}`;
}

/** The ledger's rows as write-plan.ts leaves them: `owner scope keep`. */
function ledgerAfter(ledger: readonly string[], plan: Plan): readonly string[] {
  const kept = plan.effects.some(({ type }) => type === 'drop-purges') ? [] : ledger;
  return plan.effects.reduce((rows, effect) => {
    if (effect.type !== 'purge') return rows;
    const { scope, keepAttempt, owners } = effect.purge;
    const others = rows.filter((row) => !owners.some((owner) => row.startsWith(`${owner} ${scope} `)));
    return [...others, ...owners.map((owner) => `${owner} ${scope} ${keepAttempt}`)];
  }, kept);
}

/** What the actions would have come to, in the order given: for the message of a failure. */
export function foretold(before: Loaded, actions: readonly Action[]): string {
  let moment: Moment = { ledger: [], audit: [], snapshot: before };
  const answers = actions.map((action) => {
    const [next, answer] = follow(moment, action, before.now);
    moment = next;
    return answer;
  });
  return `${answers.join(', ')}\n${shown(moment.snapshot)}`;
}
