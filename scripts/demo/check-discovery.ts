/**
 * Checks the demo's results: the caption tracks, and that the video is found by spoken words, by shown words and in its
 * feed.
 */
import type { SnippetOut } from '@vds/proto/generated/vds/indexer/v1/Snippet.ts';
import { until } from '@vds/testkit/until';
import { print, step } from '@vds/testkit/servers/progress';
import { clock } from '@vds/vdsctl/inbound/output';
import type { Discovery } from './discovery.ts';
import type { CaptionRow, StatusRecord } from '@vds/testkit/stack/partner';

/** The captions of the spoken language, and eighteen translations. */
const TRACKS = 19;
/** Those that the embedded engines can make of English speech: Debian has no translation into German and Japanese. */
const READY_OFFLINE = 17;

/** A word that occurs once in the clip, and the seconds in which it does. */
export type Word = {
  readonly word: string;
  readonly where: 'transcript' | 'screen';
  readonly fromMs: number;
  readonly toMs: number;
};

/** The spoken and shown words of the generated clip; neither is in its title, its tags or its summary. */
export const CLIP_WORDS: readonly Word[] = [
  { word: 'goalkeeper', where: 'transcript', fromMs: 3_000, toMs: 9_500 },
  { word: 'motion', where: 'screen', fromMs: 8_000, toMs: 14_500 },
];

/**
 * Waits until every track is final and prints them.
 * @throws one sentence if there are not 19, or fewer are ready than the embedded engines make
 */
export async function showTracks(
  read: () => Promise<StatusRecord>,
  { everyMs = 1_500, capMs = 180_000 } = {},
): Promise<void> {
  const settled = async (): Promise<readonly CaptionRow[] | false> => {
    const { captions = [] } = await read();
    return captions.length > 0 && captions.every(({ status }) => status !== 'processing') && captions;
  };
  const what = 'every caption track has come to its end';
  const tracks = await step(what, () => until(settled, { what, everyMs, capMs }));
  tracks.forEach((track) => print(line(track)));
  const ready = tracks.filter(({ status }) => status === 'ready').length;
  print(`  1 + ${tracks.length - 1} tracks, ${ready} ready`);
  if (tracks.length !== TRACKS) throw new Error(`The video lists ${tracks.length} caption tracks, not ${TRACKS}.`);
  if (ready < READY_OFFLINE) throw new Error(`Only ${ready} caption tracks are ready, not ${READY_OFFLINE}.`);
}

function line({ language, kind, status, reason }: CaptionRow): string {
  return `  ${language.padEnd(12)} ${kind.padEnd(10)} ${status}${reason ? `: ${reason}` : ''}`;
}

/**
 * Searches for the words and prints where each was found; throws one sentence if one is missing or at a wrong second.
 */
export async function findWords(
  discovery: Discovery,
  videoId: string,
  words: readonly Word[],
  capMs = 60_000,
): Promise<void> {
  for (const word of words) {
    const only = word.where === 'transcript' ? 'is only spoken' : 'is only on screen';
    const found = await step(`search: '${word.word}', which ${only}`, () =>
      until(() => snippetOf(discovery, videoId, word), {
        what: `search finds the video by '${word.word}', which ${only}`,
        everyMs: 250,
        capMs,
      }),
    );
    const atMs = found.atMs ?? 0;
    print(`  ${clock(atMs)}  ${found.text}`);
    if (atMs < word.fromMs || atMs > word.toMs)
      throw new Error(`'${word.word}' was found at ${clock(atMs)}, where it is not.`);
  }
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

/** Waits until the video is in the feed of its sport; throws if it does not appear. */
export async function findInFeed(discovery: Discovery, videoId: string, sport: string, capMs = 60_000): Promise<void> {
  const placeOf = async (): Promise<{ place: number; all: number } | false> => {
    const { items } = await discovery.feed({ sport });
    const place = items.findIndex((item) => item.videoId === videoId) + 1;
    return place > 0 && { place, all: items.length };
  };
  const what = `the video is in the feed of ${sport}`;
  const { place, all } = await step(what, () => until(placeOf, { what, everyMs: 250, capMs }));
  print(`  place ${place} of ${all}`);
}
