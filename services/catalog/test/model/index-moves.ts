/** The indexer: reads the current video, and writes it later with catalog's version. */
import type { Product } from './product.ts';
import type { Move } from './steps.ts';
import type { World } from './world.ts';

/** GetIndexable: version and clip as of one moment. */
export function readIndexable(world: World): World {
  return {
    ...world,
    writes: [...world.writes, { version: world.video.version, live: world.clip }],
  };
}

/** Only a tombstone stays, with the latest known version. */
export function removeFromIndex(world: World): World {
  const version = Math.max(world.video.version, world.index.version);
  return { ...world, index: { version, live: false } };
}

/**
 * A write that the index rejects now is always rejected. While the video is not live, the index does not have it and no
 * write would make it live, all other writes and messages have no visible effect: they happen at once.
 */
export function settledIndex(world: World, { written }: Product): World {
  const writes = world.writes.filter((write) => written(world.index, write) !== world.index);
  if (world.clip || world.index.live || writes.some(({ live }) => live)) return { ...world, writes };
  const flight = world.flight.filter(({ kind }) => kind !== 'changed');
  return { ...world, flight, writes: [], index: { version: world.video.version, live: false } };
}

export function indexMoves(world: World, { written }: Product): readonly Move[] {
  return world.writes.map((write) => ({
    label: `the index is written, ${write.live ? 'live' : 'gone'} as of version ${write.version}`,
    next: {
      ...world,
      index: written(world.index, write),
      writes: world.writes.filter((other) => other !== write),
    },
    spontaneous: true,
  }));
}
