/** The owner of the stages: rows, leases and objects, as @vds/chassis/stage/stages and stage/purge keep them. */
import type { Product } from './product.ts';
import { isSaid, saying, spend, type Move } from './steps.ts';
import type { Message, Removal, Run, World } from './world.ts';

type Request = Extract<Message, { stage: string }>;

/** Opens, ignores while it is open or cancelled, or says the last word again. */
export function takeRequest(world: World, { stage, attempt }: Request, product: Product): World {
  if (!product.takes(world)) return world;
  const run = world.runs.find((one) => one.stage === stage && one.attempt === attempt);
  if (!run) return { ...world, runs: [...world.runs, { stage, attempt, state: 'open' }] };
  if (run.state === 'done') return saying(world, word('completed', run));
  return run.state === 'failed' ? saying(world, word('failed', run)) : world;
}

function word(kind: Request['kind'], { stage, attempt }: Run): Request {
  return {
    kind,
    stage,
    revision: 0,
    inputsRevision: 0,
    attempt,
  };
}

/** Tombstone first, then no more work, then the objects; and once more after the longest lease. */
export function removeMedia(world: World, purge: Removal, product: Product): World {
  const bound = boundOf(purge);
  const marked = { ...world, tombstone: world.tombstone || purge.scope === 'VIDEO' };
  const empty = emptied(
    stopRuns(marked, (attempt) => attempt < bound),
    purge,
    product,
  );
  return { ...empty, look: product.looksAgain ? Math.max(world.look, bound) : 0 };
}

function boundOf({ scope, keep }: Pick<Removal, 'scope' | 'keep'>): number {
  return scope === 'VIDEO' ? Infinity : keep;
}

function emptied(world: World, purge: Pick<Removal, 'scope' | 'keep'>, product: Product): World {
  return {
    ...world,
    objects: world.objects.filter((attempt) => !product.removes(purge, attempt)),
    runs: world.runs.filter(({ attempt }) => attempt >= boundOf(purge)),
  };
}

/** Cancels rows; a process that was writing may not notice at once. */
export function stopRuns(world: World, concerns: (attempt: number) => boolean = () => true): World {
  const stopped = world.runs.filter((run) => isActive(run) && concerns(run.attempt));
  const writing = stopped.filter((run) => run.state === 'running' && makesMedia(run));
  return {
    ...world,
    runs: world.runs.map((run) => (stopped.includes(run) ? { ...run, state: 'cancelled' } : run)),
    ghosts: [...world.ghosts, ...writing.map(({ attempt }) => attempt)],
  };
}

export function isActive({ state }: Run): boolean {
  return state === 'open' || state === 'running';
}

function makesMedia({ stage }: Run): boolean {
  return stage === 'encode';
}

/**
 * The later look. It comes after any lease and any wait for an answer, so when nobody is left who could write; and as
 * nobody but a rest sees what it removes, it comes at once then.
 */
export function lookedAgain(world: World, product: Product): World {
  const { look } = world;
  const waits =
    look === 0 ||
    world.ghosts.some((attempt) => attempt < look) ||
    world.runs.some((run) => isActive(run) && run.attempt < look) ||
    world.flight.some((message) => message.kind === 'request' && message.attempt < look);
  if (waits) return world;
  const purge =
    look === Infinity ? { scope: 'VIDEO' as const, keep: 0 } : { scope: 'OTHER_ATTEMPTS' as const, keep: look };
  return { ...emptied(world, purge, product), look: 0 };
}

export function makerMoves(world: World): readonly Move[] {
  return [...world.runs.flatMap((run) => runMoves(world, run)), ...ghostMoves(world)];
}

function runMoves(world: World, run: Run): readonly Move[] {
  if (run.state === 'done') return endedMoves(world, run, 'completed');
  if (run.state === 'failed') return endedMoves(world, run, 'failed');
  if (run.state !== 'running') return [];
  const move = (what: string, next: World, own = true): Move => ({
    label: `${run.stage} ${run.attempt} ${what}`,
    next,
    own,
  });
  const moves = [move('ends', withObjects(saying(becomes(world, run, 'done'), word('completed', run)), run))];
  const failing = spend(world, 'failure');
  const fails = failing && withObjects(saying(becomes(failing, run, 'failed'), word('failed', run)), run);
  if (fails) moves.push(move('fails, and leaves what it has made', fails, false));
  const dying = makesMedia(run) ? spend(world, 'crash') : undefined;
  const dies = dying && { ...becomes(dying, run, 'open'), ghosts: [...world.ghosts, run.attempt] };
  if (dies) moves.push(move('loses its lease', dies, false));
  return moves;
}

function endedMoves(world: World, run: Run, kind: 'completed' | 'failed'): readonly Move[] {
  const again = spend(world, 'duplicate');
  const last = word(kind, run);
  if (!again || isSaid(world, last)) return [];
  return [{ label: `${run.stage} ${run.attempt} says its last word twice`, next: saying(again, last), own: false }];
}

function withObjects(world: World, run: Run): World {
  return makesMedia(run) ? { ...world, objects: [...world.objects, run.attempt] } : world;
}

function becomes(world: World, run: Run, state: Run['state']): World {
  return {
    ...world,
    runs: world.runs.map((other) => (other === run ? { ...run, state } : other)),
  };
}

function ghostMoves(world: World): readonly Move[] {
  return world.ghosts.map((attempt) => ({
    label: `a lost process of ${attempt} writes and ends`,
    next: {
      ...world,
      ghosts: world.ghosts.filter((other) => other !== attempt),
      objects: [...world.objects, attempt],
    },
    own: true,
  }));
}

/** A unit is claimed; `started` is heard at once, as a late one changes nothing. */
export function claimed(world: World, run: Run): World {
  return becomes(world, run, 'running');
}
