/** The order of a feed: newest first, and no publisher more than twice in a row while another has a video left. */

export type Entry = { readonly id: string; readonly publisherId: string; readonly sort: readonly unknown[] };

/** A reader's position. */
export type Position = {
  /** Sort values of the last entry that was shown in order. */
  readonly after: readonly unknown[] | undefined;
  /** Publishers of the last two entries. */
  readonly tail: readonly string[];
  /** Entries shown ahead of their order, which must not be shown again. */
  readonly early: readonly string[];
};

/** How many may be shown ahead of order; beyond that, one publisher's videos may follow each other. */
export const MAX_EARLY = 150;

/** After an entry that was shown in order. */
export function shown(position: Position, entry: Entry): Position {
  return {
    ...position,
    after: entry.sort,
    tail: follow(position, entry.publisherId),
  };
}

function follow(position: Position, publisherId: string): readonly string[] {
  return [...position.tail, publisherId].slice(-2);
}

/** After an entry of another publisher that was shown ahead of order. */
export function shownEarly(position: Position, entry: Entry): Position {
  return {
    ...position,
    tail: follow(position, entry.publisherId),
    early: [...position.early, entry.id],
  };
}

/** After an entry that is next in order but was already shown. */
export function skipped(position: Position, entry: Entry): Position {
  return {
    ...position,
    after: entry.sort,
    early: position.early.filter((id) => id !== entry.id),
  };
}

/** `show`: the next in order. `show-early`: the newest of any other publisher. */
export function nextStep(position: Position, next: Entry): 'skip' | 'show' | 'show-early' {
  if (position.early.includes(next.id)) return 'skip';
  return blockedPublisher(position) === next.publisherId && position.early.length < MAX_EARLY ? 'show-early' : 'show';
}

/** The publisher that may not come next. */
export function blockedPublisher({ tail }: Position): string | undefined {
  return tail.length === 2 && tail[0] === tail[1] ? tail[0] : undefined;
}
