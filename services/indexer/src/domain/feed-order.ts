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

/** The publisher who may not come next. */
export const barred = ({ tail }: Place): string | undefined =>
  tail.length === 2 && tail[0] === tail[1] ? tail[0] : undefined;

const follow = (place: Place, publisherId: string): readonly string[] => [...place.tail, publisherId].slice(-2);

/** After an entry that came in its turn. Who was shown early and has been passed is forgotten by who skips it. */
export const taken = (place: Place, entry: Entry): Place => ({
  ...place,
  after: entry.sort,
  tail: follow(place, entry.publisherId),
});

/** After an entry of another publisher that was shown before its turn. */
export const takenEarly = (place: Place, entry: Entry): Place => ({
  ...place,
  tail: follow(place, entry.publisherId),
  early: [...place.early, entry.id],
});

/** After an entry whose turn has come, but which was shown already. */
export const passed = (place: Place, entry: Entry): Place => ({
  ...place,
  after: entry.sort,
  early: place.early.filter((id) => id !== entry.id),
});

/** `turn`: the next in order. `early`: the newest of any other publisher. */
export const nextStep = (place: Place, next: Entry): 'pass' | 'turn' | 'early' => {
  if (place.early.includes(next.id)) return 'pass';
  return barred(place) === next.publisherId && place.early.length < mostEarly ? 'early' : 'turn';
};
