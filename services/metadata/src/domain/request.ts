/** What is asked of a title, as the stage's row keeps it. */
export type Request = {
  readonly durationMs: number;
  /** Key of ladder.json in the media bucket. */
  readonly ladderKey: string;
  /** Key in the captions bucket; empty while there is no transcript. */
  readonly transcriptKey: string;
};
