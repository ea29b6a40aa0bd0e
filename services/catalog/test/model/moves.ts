/** Every possible next move in a world. */
import type { Stage } from '../../src/domain/stages.ts';
import { catalogMoves, consumeTerminalEvent, starting } from './catalog-moves.ts';
import { indexMoves, readIndexable, removeFromIndex, settledIndex } from './index-moves.ts';
import { claimed, sweptAgain, makerMoves, removeMedia, stopRuns, takeRequest } from './owner-moves.ts';
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

/** Each message is consumed, consumed and redelivered, or lost; a later terminal event makes up for a lost one. */
function busMoves(world: World, product: Product, list: readonly Stage[]): readonly Move[] {
  return world.flight.flatMap((message) => {
    const moves = [...published(without(world, message), message, product, list)];
    const again = spend(world, 'redelivery');
    if (again)
      for (const move of published(again, message, product, list))
        moves.push({ ...move, spontaneous: false, label: `${move.label}, and will be redelivered` });
    // A lost `changed` is like a late one: the indexer's sweep finds every version.
    const lost = spend(world, 'crash');
    if (lost && message.kind !== 'changed')
      moves.push({ label: `${textOf(message)} is lost`, next: without(lost, message), spontaneous: false });
    return moves;
  });
}

/** Consumes a message. */
function published(world: World, message: Message, product: Product, list: readonly Stage[]): readonly Move[] {
  const one = (next: World): readonly Move[] => [{ label: `${textOf(message)} is consumed`, next, spontaneous: true }];
  if (message.kind === 'request') return one(takeRequest(world, message, product));
  if (message.kind === 'cancelled') return one(stopRuns(world));
  if (message.kind === 'changed') return one(readIndexable(world));
  return consumeTerminalEvent(world, message, product, list);
}

/** The ledger's rows: done and confirmed, done and redelivered; withdrawn ones may be lost. */
function ledgerMoves(world: World, product: Product): readonly Move[] {
  return world.ledger.flatMap((row) => {
    const label = `the purge ${textOf(row)}`;
    const done = (from: World): World =>
      row.owner === 'indexer' ? removeFromIndex(from) : removeMedia(from, row, product);
    const confirmed = { ...world, ledger: world.ledger.filter((other) => other !== row) };
    const again = spend(world, 'redelivery');
    const lost = row.withdrawn ? spend(confirmed, 'crash') : undefined;
    return [
      { label: `${label} is done`, next: done(confirmed), spontaneous: true },
      ...(again ? [{ label: `${label} is done, and will be again`, next: done(again), spontaneous: false }] : []),
      ...(lost ? [{ label: `${label} is lost`, next: lost, spontaneous: false }] : []),
    ];
  });
}

function claims(world: World, product: Product, list: readonly Stage[]): readonly Move[] {
  return world.runs
    .filter(({ state }) => state === 'open')
    .flatMap((run) => starting(claimed(world, run), run, product, list));
}

/** A world after a move, without irrelevant state. */
export function settled(world: World, product: Product): World {
  return normal(sweptAgain(settledIndex(world, product), product));
}
