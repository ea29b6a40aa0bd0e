/**
 * Checks the demo's results like a viewer: caption tracks, search by spoken and by shown words, feed and
 * recommendations. Every check returns the line that reports it, and throws one sentence if something is wrong.
 */
import type { SnippetOut } from '@vds/proto/generated/vds/indexer/v1/Snippet.ts';
import type { CaptionRow, StatusRecord } from '@vds/testkit/stack/partner';
import { until } from '@vds/testkit/until';
import { clock } from '@vds/vdsctl/inbound/output';
import type { Discovery } from './discovery.ts';

/** The captions of the spoken language, and eighteen translations. */
const TRACKS = 19;

/** A word that occurs once in a clip, and the seconds in which it does. */
export type Word = {
  readonly word: string;
  readonly where: 'transcript' | 'screen';
  /** Name of the language in which it is spoken. */
  readonly spoken?: string;
  readonly fromMs: number;
  readonly toMs: number;
};

/** How long a check waits for what it looks for, and what ends the wait early. */
export type Waiting = { readonly capMs?: number; readonly everyMs?: number; readonly signal?: AbortSignal };
const USUAL = { capMs: 60_000, everyMs: 250 };

/** Waits until every caption track has come to its end. */
export async function settledTracks(
  read: () => Promise<StatusRecord>,
  { everyMs = 1_500, capMs = 300_000, signal }: Waiting = {},
): Promise<readonly CaptionRow[]> {
  const settled = async (): Promise<readonly CaptionRow[] | false> => {
    const { captions = [] } = await read();
    return captions.length > 0 && captions.every(({ status }) => status !== 'processing') && captions;
  };
  return await until(settled, { what: 'every caption track has come to its end', everyMs, capMs, signal });
}

/** "soccer 17 of 19 tracks"; throws unless the video lists all tracks and at least `readyTracks` are ready. */
export function checkTracks(label: string, tracks: readonly CaptionRow[], readyTracks: number): string {
  const ready = tracks.filter(({ status }) => status === 'ready').length;
  if (tracks.length !== TRACKS)
    throw new Error(`The ${label} video lists ${tracks.length} caption tracks, not ${TRACKS}.`);
  if (ready < readyTracks)
    throw new Error(`Only ${ready} caption tracks of the ${label} video are ready, not ${readyTracks}.`);
  return `${label} ${ready} of ${tracks.length} tracks`;
}

/** Searches for the word until its video is found by it. */
export async function findWord(
  discovery: Discovery,
  videoId: string,
  word: Word,
  waiting: Waiting = {},
): Promise<string> {
  const only = word.where === 'screen' ? 'only on screen' : `only spoken, in ${word.spoken ?? 'English'}`;
  const found = await until(() => snippetOf(discovery, videoId, word), {
    what: `search finds the video by “${word.word}” (${only})`,
    ...USUAL,
    ...waiting,
  });
  const atMs = found.atMs ?? 0;
  if (atMs < word.fromMs || atMs > word.toMs)
    throw new Error(`“${word.word}” was found at ${clock(atMs)}, where it is not.`);
  return `search “${word.word}” (${only}): ${clock(atMs)} ${found.text}`;
}

/** Where the word was found in the video; undefined if it was not. */
async function snippetOf(
  { search }: Discovery,
  videoId: string,
  { word, where }: Word,
): Promise<SnippetOut | undefined> {
  const { hits } = await search({ query: word });
  const hit = hits.find(({ item }) => item?.videoId === videoId);
  return hit?.snippets.find(({ field, atMs }) => field === where && atMs !== undefined);
}

/** Waits until the videos are in the feed: that of a sport, or the general one. */
export async function findInFeed(
  discovery: Discovery,
  videoIds: readonly string[],
  { sport, ...waiting }: Waiting & { readonly sport?: string | undefined } = {},
): Promise<string> {
  const what = `${videoIds.length === 1 ? 'the video is' : `all ${videoIds.length} videos are`} in the ${sport === undefined ? 'feed' : `feed of ${sport}`}`;
  const all = async (): Promise<boolean> => {
    const { items } = await discovery.feed(sport === undefined ? {} : { sport });
    return videoIds.every((id) => items.some((item) => item.videoId === id));
  };
  await until(all, { what, ...USUAL, ...waiting });
  return what;
}

/** Waits until another video is recommended for this one. */
export async function findSimilar(discovery: Discovery, videoId: string, waiting: Waiting = {}): Promise<string> {
  const other = async () => (await discovery.similar(videoId)).items.find((item) => item.videoId !== videoId);
  const found = await until(other, { what: 'another video is recommended beside this one', ...USUAL, ...waiting });
  return `recommended beside it: “${found.title}”`;
}
