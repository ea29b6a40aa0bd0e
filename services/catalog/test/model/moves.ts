/** Everything that can happen next in a world. */
import type { Stage } from '../../src/domain/stage.ts';
import { catalogMoves, hearing, starting } from './catalog-moves.ts';
import { indexMoves, readIndexable, removeFromIndex, quieted } from './index-moves.ts';
import { claimed, lookedAgain, makerMoves, removeMedia, stopRuns, takeRequest } from './maker-moves.ts';
import type { Product } from './product.ts';
import { spend, without, type Move } from './steps.ts';
import { normal, textOf, type Message, type World } from './world.ts';

export function movesOf(world: World, product: Product, list: readonly Stage[]): readonly Move[] {
  return [
    ...busMoves(world, product, list),
    ...ledgerMoves(world, product),
    ...catalogMoves(world, product, list),
    ...claims(world, product, list),
    ...makerMoves(world),
    ...indexMoves(world, product),
  ];
}

/** Each message is heard and gone, heard and not yet gone, or lost; an owner's later word makes good for what is lost. */
function busMoves(world: World, product: Product, list: readonly Stage[]): readonly Move[] {
  return world.flight.flatMap((message) => {
    const moves = [...heard(without(world, message), message, product, list)];
    const again = spend(world, 'redelivery');
    if (again)
      for (const move of heard(again, message, product, list))
        moves.push({ ...move, own: false, label: `${move.label}, and will be heard again` });
    // A lost `changed` is as one that comes late: the indexer's sweep finds every version.
    const lost = spend(world, 'crash');
    if (lost && message.kind !== 'changed')
      moves.push({ label: `${textOf(message)} is lost`, next: without(lost, message), own: false });
    return moves;
  });
}

/** What comes of a message that is heard. */
function heard(world: World, message: Message, product: Product, list: readonly Stage[]): readonly Move[] {
  const one = (next: World): readonly Move[] => [{ label: `${textOf(message)} is heard`, next, own: true }];
  if (message.kind === 'request') return one(takeRequest(world, message, product));
  if (message.kind === 'cancelled') return one(stopRuns(world));
  if (message.kind === 'changed') return one(readIndexable(world));
  return hearing(world, message, product, list);
}

/** The ledger's rows: done and confirmed, done and to be done again, and what was withdrawn may be lost. */
function ledgerMoves(world: World, product: Product): readonly Move[] {
  return world.ledger.flatMap((row) => {
    const label = `the removal ${textOf(row)}`;
    const done = (from: World): World =>
      row.owner === 'indexer' ? removeFromIndex(from) : removeMedia(from, row, product);
    const confirmed = { ...world, ledger: world.ledger.filter((other) => other !== row) };
    const again = spend(world, 'redelivery');
    const lost = row.withdrawn ? spend(confirmed, 'crash') : undefined;
    return [
      { label: `${label} is done`, next: done(confirmed), own: true },
      ...(again ? [{ label: `${label} is done, and will be again`, next: done(again), own: false }] : []),
      ...(lost ? [{ label: `${label} is lost`, next: lost, own: false }] : []),
    ];
  });
}

function claims(world: World, product: Product, list: readonly Stage[]): readonly Move[] {
  return world.runs
    .filter(({ state }) => state === 'open')
    .flatMap((run) => starting(claimed(world, run), run, product, list));
}

/** A world after a move, without what can no longer make a difference. */
export function settled(world: World, product: Product): World {
  return normal(lookedAgain(quieted(world, product), product));
}
