/** What catalog does: production's decisions, written as outbound/write-plan.ts writes them. */
import type { StageEvent, StageUpdate } from '../../src/domain/stage-events.ts';
import type { NoOp, Plan, Refusal, DecisionContext } from '../../src/domain/plan.ts';
import { isOpen } from '../../src/domain/stage-status.ts';
import type { Stage } from '../../src/domain/stage.ts';
import { applied } from '../play.ts';
import { around, told } from '../support.ts';
import type { Product } from './product.ts';
import { isSaid, saying, spend, type Move } from './steps.ts';
import { isActive } from './maker-moves.ts';
import {
  earlier,
  late,
  now,
  soon,
  textOf,
  type Keeper,
  type Message,
  type Removal,
  type Run,
  type World,
} from './world.ts';

type Outcome = Plan | StageUpdate | NoOp | Refusal;
type Decide = (around: DecisionContext) => Outcome;

const keepers: readonly Keeper[] = ['transcode', 'indexer'];

const commands = ['archive', 'republish', 'delete', 'retry', 'hold', 'release', 'remove'] as const;

/** The last word of a stage. */
export function hearing(world: World, message: Message, product: Product, list: readonly Stage[]): readonly Move[] {
  if (message.kind !== 'completed' && message.kind !== 'failed') return [];
  const fact = factOf(world, message);
  return deciding(
    world,
    `${textOf(message)} is heard`,
    list,
    (about) => product.decideStageEvent(world, fact, about),
    true,
  );
}

function factOf(world: World, { kind, stage, attempt, revision }: Extract<Message, { stage: string }>): StageEvent {
  const of = { videoId: world.video.id, attempt, revision, stage };
  if (kind === 'failed') return { ...of, type: 'failed', code: 'transcode_failed', details: {} };
  if (stage === 'captions') return { ...of, type: 'completed', outputs: {}, captions: told(2) };
  const outputs = { ladderKey: `${attempt}`, thumbnailKey: 'p', durationMs: 1_000, hasAudio: true };
  return { ...of, type: 'completed', outputs, reached: ['audio'] };
}

/** The decision as things are, and as they would be by a clock that was set back. */
function deciding(world: World, label: string, list: readonly Stage[], decide: Decide, own: boolean): Move[] {
  const at = (time: Date): World => after(world, decide(around(time, { list })), time);
  const next = at(now);
  if (next.video.updatedAt === world.video.updatedAt) return [{ label, next, own }];
  const back: Move = { label: `${label}, by a clock set back`, next: at(earlier), own: false, followed: false };
  return [{ label, next, own }, back];
}

function after(world: World, outcome: Outcome, at: Date): World {
  if (outcome.kind === 'plan') return written(world, outcome, at);
  if (outcome.kind !== 'mark') return world;
  const { status } = outcome;
  return { ...world, stages: world.stages.map((one) => (one.stage === status.stage ? status : one)) };
}

/** One transaction: rows, ledger and what is to be said. */
function written(world: World, plan: Plan, at: Date): World {
  const has = (type: string): boolean => plan.effects.some((effect) => effect.type === type);
  const removals = removalsOf(plan);
  const replaced = ({ owner, scope }: Removal): boolean =>
    has('drop-purges') || removals.some((row) => row.owner === owner && row.scope === scope);
  const kept = world.ledger.map((row) => (replaced(row) ? { ...row, withdrawn: true } : row));
  const { video, stages } = applied(world, plan, at);
  const messages: Message[] = [
    { kind: 'changed' },
    ...plan.requests.map((asking) => ({ ...asking, kind: 'request' as const, attempt: video.attempt })),
    ...(has('cancel') ? [{ kind: 'cancelled' as const }] : []),
  ];
  const clip = has('publish-clip') || (world.clip && !has('withdraw-clip'));
  return saying({ ...world, video, stages, clip, ledger: [...kept, ...removals] }, ...messages);
}

function removalsOf(plan: Plan): readonly Removal[] {
  return plan.effects.flatMap((effect) =>
    effect.type === 'purge' && effect.purge.scope !== 'SOURCE'
      ? keepers
          .filter((owner) => effect.purge.owners.includes(owner))
          .map((owner) => ({ owner, scope: effect.purge.scope, keep: effect.purge.keepAttempt, withdrawn: false }))
      : [],
  );
}

/** The first word of a stage that was claimed. */
export function starting(
  world: World,
  { stage, attempt }: Run,
  product: Product,
  list: readonly Stage[],
): readonly Move[] {
  const fact: StageEvent = { type: 'started', videoId: world.video.id, attempt, revision: 0, stage };
  return deciding(
    world,
    `${stage} ${attempt} begins`,
    list,
    (about) => product.decideStageEvent(world, fact, about),
    true,
  );
}

export function catalogMoves(world: World, product: Product, list: readonly Stage[]): readonly Move[] {
  return [...commandMoves(world, product, list), ...timeMoves(world, product, list), ...reminderMoves(world, product)];
}

/** What a reply promises. One that changes nothing leads nowhere new, and is left out. */
function commandMoves(world: World, product: Product, list: readonly Stage[]): readonly Move[] {
  return commands.flatMap((type) => {
    const spent = spend(world, type);
    if (!spent) return [];
    const outcome = product.decideCommand(world, { type }, around(now, { list }));
    if (outcome.kind !== 'plan') return [];
    const { deleted, hidden } = world.promised;
    const promised = {
      deleted: deleted || type === 'delete' || type === 'remove',
      hidden: type === 'republish' ? false : hidden || outcome.reply?.status === 'archive_queued',
    };
    const decide: Decide = (about) => product.decideCommand(world, { type }, about);
    return deciding({ ...spent, promised }, type, list, decide, false);
  });
}

/** The clock's round: a short while is over by itself; a deadline that passes is a failure, and a week's end an event. */
function timeMoves(world: World, product: Product, list: readonly Stage[]): readonly Move[] {
  const decided = (from: World, time: Date, label: string, own: boolean): readonly Move[] => {
    const outcome = product.decideTime(from, around(time, { list }));
    return outcome.kind === 'plan' ? [{ label, next: after(from, outcome, time), own }] : [];
  };
  const overdue = world.stages.some((status) => isOpen(status) && status.dueAt !== null);
  const failing = overdue ? spend(world, 'failure') : world.video.state === 'failed' ? world : undefined;
  return [
    ...decided(world, soon, 'a short while passes', true),
    ...(failing ? decided(failing, late, 'a long while passes', false) : []),
  ];
}

/** Requests that are unanswered (outbound/republish.ts): needed where nobody else will move, a duplicate elsewhere. */
function reminderMoves(world: World, product: Product): readonly Move[] {
  const { video, stages, runs, flight } = world;
  if (video.intent === 'delete') return [];
  const asks = stages.filter(isOpen).map(({ stage, attempt, revision, inputsRevision }): Message => ({
    kind: 'request',
    stage,
    revision,
    inputsRevision,
    attempt,
  }));
  return product
    .reminders(asks)
    .filter((message) => !isSaid(world, message))
    .flatMap((message): Move[] => {
      const isOf = (one: object): boolean =>
        'stage' in message &&
        'stage' in one &&
        'attempt' in one &&
        one.stage === message.stage &&
        one.attempt === message.attempt;
      const moving = runs.some((run) => isOf(run) && isActive(run)) || flight.some(isOf);
      const from = moving ? spend(world, 'duplicate') : world;
      return from ? [{ label: `${textOf(message)} is said again`, next: saying(from, message), own: !moving }] : [];
    });
}
