/** Catalog's moves: production's decisions, written as outbound/write-plan.ts writes them. */
import type { StageEvent, StageUpdate } from '../../src/domain/stage-events.ts';
import type { NoOp, Rejection, DecisionContext } from '../../src/domain/commands.ts';
import type { Plan } from '../../src/domain/plan.ts';
import { isOpen } from '../../src/domain/stages.ts';
import type { Stage } from '../../src/domain/stages.ts';
import { applied } from '../domain/play.ts';
import { contextAt, captionsAt } from '../domain/fixtures.ts';
import type { Product } from './product.ts';
import { isInFlight, isTerminal, publishing, spend, type Move } from './steps.ts';
import { isActive } from './owner-moves.ts';
import {
  earlier,
  late,
  now,
  soon,
  textOf,
  type Owner,
  type Message,
  type PurgeRequest,
  type Run,
  type World,
} from './world.ts';

type Outcome = Plan | StageUpdate | NoOp | Rejection;
type Decide = (context: DecisionContext) => Outcome;

const owners: readonly Owner[] = ['transcode', 'indexer'];

const commands = ['archive', 'republish', 'delete', 'retry', 'hold', 'release', 'remove'] as const;

/** Consumes the terminal event of a stage. */
export function consumeTerminalEvent(
  world: World,
  message: Message,
  product: Product,
  list: readonly Stage[],
): readonly Move[] {
  if (!isTerminal(message)) return [];
  const event = eventFor(world, message);
  return deciding(
    world,
    `${textOf(message)} is consumed`,
    list,
    (about) => product.decideStageEvent(world, event, about),
    true,
  );
}

function eventFor(world: World, { kind, stage, attempt, revision }: Extract<Message, { stage: string }>): StageEvent {
  const of = { videoId: world.video.id, attempt, revision, stage };
  if (kind === 'failed') return { ...of, type: 'failed', code: 'transcode_failed', details: {} };
  if (stage === 'captions') return { ...of, type: 'completed', outputs: {}, captions: captionsAt(2) };
  const outputs = { ladderKey: `${attempt}`, thumbnailKey: 'p', durationMs: 1_000, hasAudio: true };
  return { ...of, type: 'completed', outputs };
}

/** The decision at the current time, and by a clock that was set back. */
function deciding(world: World, label: string, list: readonly Stage[], decide: Decide, spontaneous: boolean): Move[] {
  const at = (time: Date): World => after(world, decide(contextAt(time, { list })), time);
  const next = at(now);
  if (next.video.updatedAt === world.video.updatedAt) return [{ label, next, spontaneous }];
  const back: Move = { label: `${label}, by a clock set back`, next: at(earlier), spontaneous: false, followed: false };
  return [{ label, next, spontaneous }, back];
}

function after(world: World, outcome: Outcome, at: Date): World {
  if (outcome.kind === 'plan') return written(world, outcome, at);
  if (outcome.kind !== 'stage-update') return world;
  const { status } = outcome;
  return { ...world, stages: world.stages.map((one) => (one.stage === status.stage ? status : one)) };
}

/** One transaction: rows, ledger and messages. */
function written(world: World, plan: Plan, at: Date): World {
  const has = (type: string): boolean => plan.effects.some((effect) => effect.type === type);
  const purges = purgesOf(plan);
  const replaced = ({ owner, scope }: PurgeRequest): boolean =>
    has('drop-purges') || purges.some((row) => row.owner === owner && row.scope === scope);
  const kept = world.ledger.map((row) => (replaced(row) ? { ...row, withdrawn: true } : row));
  const { video, stages } = applied(world, plan, at);
  const messages: Message[] = [
    { kind: 'changed' },
    ...plan.requests.map((request) => ({ ...request, kind: 'request' as const, attempt: video.attempt })),
    ...(has('cancel') ? [{ kind: 'cancelled' as const }] : []),
  ];
  const clip = has('publish-clip') || (world.clip && !has('withdraw-clip'));
  return publishing({ ...world, video, stages, clip, ledger: [...kept, ...purges] }, ...messages);
}

function purgesOf(plan: Plan): readonly PurgeRequest[] {
  return plan.effects.flatMap((effect) =>
    effect.type === 'purge' && effect.purge.scope !== 'SOURCE'
      ? owners
          .filter((owner) => effect.purge.owners.includes(owner))
          .map((owner) => ({ owner, scope: effect.purge.scope, keep: effect.purge.keepAttempt, withdrawn: false }))
      : [],
  );
}

/** The started event of a claimed stage. */
export function starting(
  world: World,
  { stage, attempt }: Run,
  product: Product,
  list: readonly Stage[],
): readonly Move[] {
  const event: StageEvent = { type: 'started', videoId: world.video.id, attempt, revision: 0, stage };
  return deciding(
    world,
    `${stage} ${attempt} begins`,
    list,
    (about) => product.decideStageEvent(world, event, about),
    true,
  );
}

export function catalogMoves(world: World, product: Product, list: readonly Stage[]): readonly Move[] {
  return [...commandMoves(world, product, list), ...timeMoves(world, product, list), ...republishMoves(world, product)];
}

/** Commands, with the promises of their replies. One that changes nothing leads to no new state, and is left out. */
function commandMoves(world: World, product: Product, list: readonly Stage[]): readonly Move[] {
  return commands.flatMap((type) => {
    const spent = spend(world, type);
    if (!spent) return [];
    const outcome = product.decideCommand(world, { type }, contextAt(now, { list }));
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

/** The scheduler: a short time passes by itself; the end of a failed video's week is a move. */
function timeMoves(world: World, product: Product, list: readonly Stage[]): readonly Move[] {
  const decided = (from: World, time: Date, label: string, spontaneous: boolean): readonly Move[] => {
    const outcome = product.decideTime(from, contextAt(time, { list }));
    return outcome.kind === 'plan' ? [{ label, next: after(from, outcome, time), spontaneous }] : [];
  };
  return [
    ...decided(world, soon, 'a short time passes', true),
    ...(world.video.state === 'failed' ? decided(world, late, 'a long time passes', false) : []),
  ];
}

/** Republished requests (outbound/republish.ts): needed if nothing else will move, otherwise a duplicate. */
function republishMoves(world: World, product: Product): readonly Move[] {
  const { video, stages, runs, flight } = world;
  if (video.intent === 'delete') return [];
  const requests = stages.filter(isOpen).map(({ stage, attempt, revision, inputsRevision }): Message => ({
    kind: 'request',
    stage,
    revision,
    inputsRevision,
    attempt,
  }));
  return product
    .republished(requests)
    .filter((message) => !isInFlight(world, message))
    .flatMap((message): Move[] => {
      const isOf = (one: object): boolean =>
        'stage' in message &&
        'stage' in one &&
        'attempt' in one &&
        one.stage === message.stage &&
        one.attempt === message.attempt;
      const moving = runs.some((run) => isOf(run) && isActive(run)) || flight.some(isOf);
      const from = moving ? spend(world, 'duplicate') : world;
      return from
        ? [{ label: `${textOf(message)} is republished`, next: publishing(from, message), spontaneous: !moving }]
        : [];
    });
}
