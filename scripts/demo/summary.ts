/** What to open, and what to call: the last thing that the demo prints. */

export type SummaryInput = {
  /** The player page, with a final slash. */
  readonly pages: string;
  readonly gateway: string;
  readonly key: string;
  /** `vid_…` of the video that the curl line reads. */
  readonly videoId: string;
  /** Words to search for. */
  readonly words: readonly string[];
};

/** Lines for a person. `BASE` and `KEY` are shell assignments, for the requests of README.md. */
export function summaryOf({ pages, gateway, key, videoId, words }: SummaryInput): string {
  const tryWords = words.length > 0 ? `  (search: ${words.join(', ')})` : '';
  return [
    '',
    'Open in a browser:',
    `  player     ${pages}`,
    `  discovery  ${pages}discover.html${tryWords}`,
    `  figures    ${pages}performance.html  (after a video was played)`,
    `  API docs   ${gateway}/docs`,
    'Call the API:',
    `  BASE=${gateway}`,
    `  KEY=${key}`,
    `  curl -s "$BASE/v1/videos/${videoId}" -H "authorization: Bearer $KEY"`,
    `Operate it: npm run vdsctl -- --env .vds/demo/stack/vdsctl.env video show ${videoId}`,
    'Ctrl-C ends the demo and deletes its videos.',
  ].join('\n');
}
