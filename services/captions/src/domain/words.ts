/** Words from a speech engine, and the sentences made of them; times are milliseconds from the start of the video. */

export type Word = {
  /** The engine's text, including punctuation where it provides any. */
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** 0 to 1; null where the engine does not report it. */
  readonly confidence: number | null;
  /** Another speaker begins with it (speech/speakers.ts). */
  readonly turn?: boolean;
};

/** A span of the video's time, its end not included. */
export type Span = {
  readonly startMs: number;
  readonly endMs: number;
};

/**
 * One unit of meaning: what is translated as a whole, found by a search, and laid out as one cue or more. Its text
 * without spaces is that of its words.
 */
export type SpokenSentence = Span & {
  readonly text: string;
  readonly words: readonly Word[];
};

/** Divides a span between consecutive items by their weights, such as the letters of words. */
export function divideSpan<T>(
  items: readonly T[],
  weightOf: (item: T) => number,
  { startMs, endMs }: Span,
): (T & Span)[] {
  const total = items.reduce((sum, item) => sum + weightOf(item), 0);
  let before = 0;
  const at = (): number => Math.round(startMs + ((endMs - startMs) * before) / Math.max(1, total));
  return items.map((item) => {
    const from = at();
    before += weightOf(item);
    return { ...item, startMs: from, endMs: at() };
  });
}

/** Groups consecutive items; a new group begins where `isEnd` holds between two neighbours. */
export function splitBetween<T>(items: readonly T[], isEnd: (last: T, next: T, group: readonly T[]) => boolean): T[][] {
  const groups: T[][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group === undefined || last === undefined || isEnd(last, item, group)) groups.push([item]);
    else group.push(item);
  }
  return groups;
}

export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
