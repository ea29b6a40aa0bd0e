/** What the partner said about a video. */
export type Description = {
  readonly title: string;
  readonly summary: string | undefined;
  readonly tags: readonly string[];
  readonly sport: string | undefined;
  readonly category: string | undefined;
  /** Two letters of ISO 639-1: what is spoken. */
  readonly language: string;
  /** Where the transcript lies now; undefined while there is none. */
  readonly transcriptKey?: string | undefined;
};
