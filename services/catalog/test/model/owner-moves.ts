/** The owner of the stages: rows, leases and objects, as @vds/chassis/stage/stages and stage/purge keep them. */
import type { Product } from './product.ts';
import { isInFlight, publishing, spend, type Move } from './steps.ts';
import type { Message, PurgeRequest, Run, World } from './world.ts';

type Request = Extract<Message, { stage: string }>;

/** Opens a run, ignores the request of an open or cancelled one, or publishes the terminal event of an ended one again. */
export function takeRequest(world: World, { stage, attempt }: Request, product: Product): World {
  if (!product.accepts(world)) return world;
  const run = world.runs.find((one) => one.stage === stage && one.attempt === attempt);
  if (!run) return { ...world, runs: [...world.runs, { stage, attempt, state: 'open' }] };
  if (run.state === 'done') return publishing(world, terminalEvent('completed', run));
  return run.state === 'failed' ? publishing(world, terminalEvent('failed', run)) : world;
}

function terminalEvent(kind: Request['kind'], { stage, attempt }: Run): Request {
  return {
    kind,
    stage,
    revision: 0,
    inputsRevision: 0,
    attempt,
  };
}

/** Tombstone first, then no more work, then the objects; and a second sweep after the longest lease. */
export function removeMedia(world: World, purge: PurgeRequest, product: Product): World {
  const bound = boundOf(purge);
  const marked = { ...world, tombstone: world.tombstone || purge.scope === 'VIDEO' };
  const empty = emptied(
    stopRuns(marked, (attempt) => attempt < bound),
    purge,
    product,
  );
  return { ...empty, sweep: product.sweepsAgain ? Math.max(world.sweep, bound) : 0 };
}

function boundOf({ scope, keep }: Pick<PurgeRequest, 'scope' | 'keep'>): number {
  return scope === 'VIDEO' ? Infinity : keep;
}

function emptied(world: World, purge: Pick<PurgeRequest, 'scope' | 'keep'>, product: Product): World {
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
 * The second sweep. It comes after any lease and any pending request, when no process is left that could write; only
 * states of rest depend on what it removes, so it happens at once then.
 */
export function sweptAgain(world: World, product: Product): World {
  const { sweep } = world;
  const waits =
    sweep === 0 ||
    world.ghosts.some((attempt) => attempt < sweep) ||
    world.runs.some((run) => isActive(run) && run.attempt < sweep) ||
    world.flight.some((message) => message.kind === 'request' && message.attempt < sweep);
  if (waits) return world;
  const purge =
    sweep === Infinity ? { scope: 'VIDEO' as const, keep: 0 } : { scope: 'OTHER_ATTEMPTS' as const, keep: sweep };
  return { ...emptied(world, purge, product), sweep: 0 };
}

export function makerMoves(world: World): readonly Move[] {
  return [...world.runs.flatMap((run) => runMoves(world, run)), ...ghostMoves(world)];
}

function runMoves(world: World, run: Run): readonly Move[] {
  if (run.state === 'done') return endedMoves(world, run, 'completed');
  if (run.state === 'failed') return [...endedMoves(world, run, 'failed'), ...restoreMoves(world, run)];
  if (run.state !== 'running') return [];
  const move = (what: string, next: World, spontaneous = true): Move => ({
    label: `${run.stage} ${run.attempt} ${what}`,
    next,
    spontaneous,
  });
  const moves = [
    move('ends', withObjects(publishing(becomes(world, run, 'done'), terminalEvent('completed', run)), run)),
  ];
  const failing = spend(world, 'failure');
  const fails = failing && withObjects(publishing(becomes(failing, run, 'failed'), terminalEvent('failed', run)), run);
  if (fails) moves.push(move('fails, and leaves its objects', fails, false));
  const dying = makesMedia(run) ? spend(world, 'crash') : undefined;
  const dies = dying && { ...becomes(dying, run, 'open'), ghosts: [...world.ghosts, run.attempt] };
  if (dies) moves.push(move('loses its lease', dies, false));
  return moves;
}

function endedMoves(world: World, run: Run, kind: 'completed' | 'failed'): readonly Move[] {
  const again = spend(world, 'duplicate');
  const last = terminalEvent(kind, run);
  if (!again || isInFlight(world, last)) return [];
  return [
    {
      label: `${run.stage} ${run.attempt} publishes its terminal event twice`,
      next: publishing(again, last),
      spontaneous: false,
    },
  ];
}

/** The owner's database is restored to a time before the failure. */
function restoreMoves(world: World, run: Run): readonly Move[] {
  const restored = spend(world, 'crash');
  if (!restored) return [];
  const label = `${run.stage} ${run.attempt} runs again in a restored database`;
  return [{ label, next: becomes(restored, run, 'running'), spontaneous: false }];
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
    spontaneous: true,
  }));
}

/** A job is claimed; `started` is consumed at once: a late one changes nothing. */
export function claimed(world: World, run: Run): World {
  return becomes(world, run, 'running');
}
