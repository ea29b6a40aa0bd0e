/** Small words that all moves are made of. */
import { textOf, type Budget, type Message, type World } from './world.ts';

export type Move = {
  readonly label: string;
  readonly next: World;
  /** True: it comes by itself, sooner or later. False: somebody asks for it, or something goes wrong. */
  readonly own: boolean;
  /** False: looked at, and not gone on from. */
  readonly followed?: boolean;
};

export function without(world: World, message: Message): World {
  return {
    ...world,
    flight: world.flight.filter((other) => other !== message),
  };
}

/** Two of the same are heard as one that is heard again. */
export function saying(world: World, ...messages: readonly Message[]): World {
  return {
    ...world,
    flight: [...world.flight, ...messages.filter((message) => !isSaid(world, message))],
  };
}

export function isSaid({ flight }: World, message: Message): boolean {
  return flight.some((other) => textOf(other) === textOf(message));
}

/** The world with one less of something left; undefined when none is. */
export function spend(world: World, what: keyof Budget): World | undefined {
  return world.left[what] === 0 ? undefined : { ...world, left: { ...world.left, [what]: world.left[what] - 1 } };
}
