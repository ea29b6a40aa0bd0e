/** Vectors of texts in about a hundred languages: texts of similar meaning have similar vectors. */

export type Embedder = {
  /** Its name in documents and in the index, such as `multilingual-e5-small/q4`: vectors of two models are never compared. */
  readonly model: string;
  /** Length of its vectors. */
  readonly dimensions: number;
  /**
   * One int8 vector (unit length × 127, rounded) a text, in their order.
   * @throws AppError UNAVAILABLE where the engine is away; the signal's reason when it aborts
   */
  readonly embed: (
    texts: readonly string[],
    kind: 'query' | 'passage',
    signal?: AbortSignal,
  ) => Promise<readonly Int8Array[]>;
  readonly close: () => Promise<void>;
};
