/** The feed's order: newest first, and no publisher more than twice in a row while another has anything to show. */

export type Entry = { readonly id: string; readonly publisherId: string; readonly sort: readonly unknown[] };

/** Where a reader is. */
export type Place = {
  /** Sort values of the last entry that was taken in its turn. */
  readonly after: readonly unknown[] | undefined;
  /** Publishers of the last two entries. */
  readonly tail: readonly string[];
  /** Entries shown before their turn, which must not be shown again. */
  readonly early: readonly string[];
};

/** So many may be shown before their turn; beyond, a long row of one publisher stays a row. */
export const mostEarly = 150;

/** After an entry that came in its turn. Who was shown early and has been passed is forgotten by who skips it. */
export function taken(place: Place, entry: Entry): Place {
  return {
    ...place,
    after: entry.sort,
    tail: follow(place, entry.publisherId),
  };
}

function follow(place: Place, publisherId: string): readonly string[] {
  return [...place.tail, publisherId].slice(-2);
}

/** After an entry of another publisher that was shown before its turn. */
export function takenEarly(place: Place, entry: Entry): Place {
  return {
    ...place,
    tail: follow(place, entry.publisherId),
    early: [...place.early, entry.id],
  };
}

/** After an entry whose turn has come, but which was shown already. */
export function passed(place: Place, entry: Entry): Place {
  return {
    ...place,
    after: entry.sort,
    early: place.early.filter((id) => id !== entry.id),
  };
}

/** `turn`: the next in order. `early`: the newest of any other publisher. */
export function nextStep(place: Place, next: Entry): 'pass' | 'turn' | 'early' {
  if (place.early.includes(next.id)) return 'pass';
  return barred(place) === next.publisherId && place.early.length < mostEarly ? 'early' : 'turn';
}

/** The publisher who may not come next. */
export function barred({ tail }: Place): string | undefined {
  return tail.length === 2 && tail[0] === tail[1] ? tail[0] : undefined;
}
