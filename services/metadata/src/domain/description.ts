/** The partner's description of a video. */
export type Description = {
  readonly title: string;
  readonly summary: string | undefined;
  readonly tags: readonly string[];
  readonly sport: string | undefined;
  readonly category: string | undefined;
  /** The spoken language, ISO 639-1. */
  readonly language: string;
  /** Key of the current transcript; undefined while there is none. */
  readonly transcriptKey?: string | undefined;
};
