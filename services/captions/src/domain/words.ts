/** What a speech engine hears, and what the house makes of it; times are milliseconds from the start of the title. */

export type Word = {
  /** As the engine says it, punctuation included where it gives any. */
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** 0 to 1; null where the engine does not tell. */
  readonly confidence: number | null;
};

/** A span of the title's time, its end not included. */
export type Span = {
  readonly startMs: number;
  readonly endMs: number;
};

/** One unit of meaning: what is translated as a whole, found by a search, and laid out as one cue or more. */
export type Sentence = Span & {
  readonly text: string;
};

/** A sentence with the words that it was made of; its text without spaces is that of its words. */
export type SpokenSentence = Sentence & {
  readonly words: readonly Word[];
};
