/** Words from a speech engine, and the sentences made of them; times are milliseconds from the start of the video. */

export type Word = {
  /** The engine's text, including punctuation where it provides any. */
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** 0 to 1; null where the engine does not report it. */
  readonly confidence: number | null;
};

/** A span of the video's time, its end not included. */
export type Span = {
  readonly startMs: number;
  readonly endMs: number;
};

/** One unit of meaning: what is translated as a whole, found by a search, and laid out as one cue or more. */
export type Sentence = Span & {
  readonly text: string;
};

/** A sentence with its words; its text without spaces is that of its words. */
export type SpokenSentence = Sentence & {
  readonly words: readonly Word[];
};
