/** Primitives of all moves. */
import { textOf, type Budget, type Message, type World } from './world.ts';

export type Move = {
  readonly label: string;
  readonly next: World;
  /** True: it happens by itself, sooner or later. False: a command or a fault. */
  readonly spontaneous: boolean;
  /** False: checked, and not explored further. */
  readonly followed?: boolean;
};

export function without(world: World, message: Message): World {
  return {
    ...world,
    flight: world.flight.filter((other) => other !== message),
  };
}

/** Two of the same message are one that is redelivered. */
export function publishing(world: World, ...messages: readonly Message[]): World {
  return {
    ...world,
    flight: [...world.flight, ...messages.filter((message) => !isInFlight(world, message))],
  };
}

export function isInFlight({ flight }: World, message: Message): boolean {
  return flight.some((other) => textOf(other) === textOf(message));
}

/** Whether it ends a stage. */
export function isTerminal(message: Message): message is Extract<Message, { stage: string }> {
  return message.kind === 'completed' || message.kind === 'failed';
}

/** The world with one less of something left; undefined when none is. */
export function spend(world: World, what: keyof Budget): World | undefined {
  return world.left[what] === 0 ? undefined : { ...world, left: { ...world.left, [what]: world.left[what] - 1 } };
}
