/**
 * Chapters of a video whose file has none: they begin where the words change, as in TextTiling (Hearst, 1997), best at
 * pauses, cuts and new topics, and are titled by a quote of what is said in them.
 */
import type { ChapterOut } from '@vds/proto/generated/vds/metadata/v1/Chapter.ts';
import type { Sentence, Transcript } from './model.ts';
import type { Span } from './span.ts';

export type ChapterInput = {
  readonly durationMs: number;
  readonly scenes: readonly Span[];
  readonly intervals: readonly Interval[];
  readonly topics: readonly Topic[];
  readonly transcript: Transcript;
  readonly stopWords: ReadonlySet<string>;
};

type Topic = {
  readonly name: string;
  readonly evidence: readonly { readonly where: string; readonly atMs?: number | undefined }[];
};
type Interval = Span & { readonly kind: string };
type Words = Map<string, number>;
type Candidate = { readonly atMs: number; readonly score: number };
/** A sentence, and those of its words that carry meaning. */
type Said = Sentence & { readonly words: readonly string[] };

/** Chapters are never closer together, and in the mean not closer than twice that. */
const [MIN_APART_MS, MINUTE_MS] = [60_000, 60_000];
const MAX_CHAPTERS = 40;
const BLOCK_MS = 10_000;
/** Blocks before and after a boundary that are compared. */
const COMPARED_BLOCKS = 6;
const MAX_BLOCKS = 8_640;
/** The most sentences that count; hours of speech have fewer. */
const MAX_SENTENCES = 20_000;
const MAX_TITLE_CHARACTERS = 80;
/** What a long pause, a cut, darkness or silence in it, and a new topic add to the difference of the words (0 to 1). */
const [PAUSE_WEIGHT, CUT_WEIGHT, BREAK_WEIGHT, TOPIC_WEIGHT] = [0.4, 0.2, 0.3, 0.2];
const LONG_PAUSE_MS = 4_000;
const TOPIC_WITHIN_MS = 15_000;
/** Words of a title: fewer say little, more are no title. */
const [FEW_WORDS, MANY_WORDS] = [3, 14];

/**
 * At most 40 chapters, the first from 0 on, each at least a minute long: 5 of ten minutes, 19 of ninety. None for a video
 * that would have only one, or in which nothing is said.
 */
export function makeChapters(input: ChapterInput): ChapterOut[] {
  const { durationMs, transcript, stopWords } = input;
  const most = mostOf(durationMs);
  const sentences = most < 2 ? [] : inOrder(transcript, durationMs, stopWords);
  if (sentences.length === 0) return [];
  const starts = [0, ...choose(candidatesOf(input, sentences), most - 1)];
  if (starts.length < 2) return [];
  const spans = starts.map((startMs, index) => ({ startMs, endMs: starts[index + 1] ?? durationMs }));
  const quotes = quotesOf(spans, sentences, input.topics);
  return spans.map((span, index) => ({ ...span, ...titled(quotes[index], transcript.language) }));
}

/** Longer videos have longer chapters. */
function mostOf(durationMs: number): number {
  const dense = Math.floor(durationMs / (2 * MIN_APART_MS));
  return Math.min(MAX_CHAPTERS, dense, Math.ceil(2 * Math.sqrt(durationMs / MINUTE_MS)));
}

/** What is said at `atMs`, as a title; undefined where nothing is. */
export function quoteAt(sentences: readonly Sentence[], atMs: number): string | undefined {
  const said = sentences.findLast(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
  return said === undefined ? undefined : titleOf(said.text) || undefined;
}

function titled(quote: Sentence | undefined, languageCode: string): Omit<ChapterOut, keyof Span> {
  const title = quote === undefined ? '' : titleOf(quote.text);
  if (quote === undefined || title === '') return { title: '', origin: 'made', titles: [] };
  return { title, origin: 'made', titles: [{ languageCode, title }], titleAtMs: quote.startMs };
}

/** Short, cut between words where there are any, and without the full stop. */
function titleOf(text: string): string {
  const letters = [...text.replaceAll(/\s+/g, ' ').trim()];
  if (letters.length <= MAX_TITLE_CHARACTERS) return letters.join('').replace(/[.。]$/, '');
  const cut = letters.slice(0, MAX_TITLE_CHARACTERS - 1).join('');
  return `${cut.replace(/[\s,;:–-]+\S{0,30}$/, '')}…`;
}

function inOrder({ language, sentences }: Transcript, durationMs: number, stopWords: ReadonlySet<string>): Said[] {
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
  const wordsOf = (text: string): string[] =>
    [...segmenter.segment(text)]
      .filter(({ isWordLike }) => isWordLike === true)
      .map(({ segment }) => segment.toLowerCase())
      .filter((word) => !stopWords.has(word));
  return sentences
    .slice(0, MAX_SENTENCES)
    .filter(({ startMs, endMs, text }) => startMs < Math.min(endMs, durationMs) && text.trim() !== '')
    .map((sentence) => ({ ...sentence, words: wordsOf(sentence.text) }))
    .sort((a, b) => a.startMs - b.startMs);
}

/** The best place of each block in which a sentence begins. */
function candidatesOf(
  { durationMs, scenes, intervals, topics }: ChapterInput,
  sentences: readonly Said[],
): Candidate[] {
  const blocks = blocksOf(sentences, durationMs);
  const places = placesOf(sentences, scenes, intervals).filter(
    ({ atMs }) => atMs >= MIN_APART_MS && atMs <= durationMs - MIN_APART_MS,
  );
  const best = new Map<number, Candidate>();
  for (const { atMs, score } of places) {
    const block = Math.floor(atMs / blockMs(durationMs));
    if (score > (best.get(block)?.score ?? -1)) best.set(block, { atMs, score });
  }
  const topicStarts = topics.flatMap(
    ({ evidence }) => evidence.find(({ where }) => where === 'transcript')?.atMs ?? [],
  );
  return [...best].map(([block, { atMs, score }]) => {
    const hasNewTopic = topicStarts.some((start) => start >= atMs && start < atMs + TOPIC_WITHIN_MS);
    const before = joined(blocks.slice(Math.max(0, block - COMPARED_BLOCKS), block));
    const after = joined(blocks.slice(block, block + COMPARED_BLOCKS));
    return { atMs, score: score + 1 - similarity(before, after) + (hasNewTopic ? TOPIC_WEIGHT : 0) };
  });
}

/** Ten seconds; more in a video that would have too many blocks. */
function blockMs(durationMs: number): number {
  return Math.max(BLOCK_MS, durationMs / MAX_BLOCKS);
}

function blocksOf(sentences: readonly Said[], durationMs: number): Words[] {
  const length = blockMs(durationMs);
  const blocks = Array.from({ length: Math.ceil(durationMs / length) }, (): Words => new Map());
  for (const { startMs, words } of sentences) count(blocks[Math.floor(startMs / length)], words);
  return blocks;
}

function count(into: Words | undefined, words: readonly string[]): void {
  for (const word of words) into?.set(word, (into.get(word) ?? 0) + 1);
}

function joined(blocks: readonly Words[]): Words {
  const all: Words = new Map();
  for (const block of blocks) for (const [word, times] of block) all.set(word, (all.get(word) ?? 0) + times);
  return all;
}

/** Cosine of the angle between the counts of two texts' words. */
function similarity(one: Words, other: Words): number {
  const squares = (words: Words): number => [...words.values()].reduce((sum, times) => sum + times * times, 0);
  const common = [...one].reduce((sum, [word, times]) => sum + times * (other.get(word) ?? 0), 0);
  return common === 0 ? 0 : common / Math.sqrt(squares(one) * squares(other));
}

/** The pause before each sentence but the first: at its last cut, else where the sentence begins. */
function placesOf(
  sentences: readonly Sentence[],
  scenes: readonly Span[],
  intervals: readonly Interval[],
): Candidate[] {
  const breaks = intervals.filter(({ kind }) => kind !== 'frozen').sort((a, b) => a.startMs - b.startMs);
  const cuts = scenes.map(({ startMs }) => startMs).sort((a, b) => a - b);
  let [saidUntil, cut, gap] = [0, 0, 0];
  return sentences.flatMap(({ startMs, endMs }, index) => {
    const from = saidUntil;
    saidUntil = Math.max(saidUntil, endMs);
    while ((cuts[cut] ?? Infinity) <= startMs) cut += 1;
    while ((breaks[gap + 1]?.startMs ?? Infinity) <= startMs) gap += 1;
    if (index === 0) return [];
    const cutMs = cuts[cut - 1];
    const isCut = cutMs !== undefined && cutMs >= Math.min(from, startMs);
    const broken = breaks[gap];
    const isBroken = broken !== undefined && broken.startMs < startMs && broken.endMs > from;
    const pause = Math.min(1, Math.max(0, startMs - from) / LONG_PAUSE_MS);
    const score = PAUSE_WEIGHT * pause + (isCut ? CUT_WEIGHT : 0) + (isBroken ? BREAK_WEIGHT : 0);
    return [{ atMs: isCut ? cutMs : startMs, score }];
  });
}

/** The best places that are far enough apart, in the order of time; none worse than the mean. */
function choose(candidates: readonly Candidate[], most: number): number[] {
  const mean = candidates.reduce((sum, { score }) => sum + score, 0) / candidates.length;
  const chosen: number[] = [];
  for (const { atMs, score } of candidates.toSorted((a, b) => b.score - a.score || a.atMs - b.atMs)) {
    if (chosen.length === most || score < mean - 1e-9) break;
    if (chosen.every((other) => Math.abs(other - atMs) >= MIN_APART_MS)) chosen.push(atMs);
  }
  return chosen.sort((a, b) => a - b);
}

/** The sentence of each chapter that says most of what only this chapter is about; undefined where nothing is said. */
function quotesOf(
  spans: readonly Span[],
  sentences: readonly Said[],
  topics: readonly Topic[],
): (Sentence | undefined)[] {
  const named = new Set(topics.flatMap(({ name }) => name.split(' ')));
  const said = spans.map(({ startMs, endMs }) => {
    const within = sentences.filter((sentence) => sentence.startMs >= startMs && sentence.startMs < endMs);
    const counts: Words = new Map();
    for (const { words } of within) count(counts, words);
    return { counts, within };
  });
  const chaptersWith: Words = new Map();
  for (const { counts } of said) count(chaptersWith, [...counts.keys()]);
  const weigh = (counts: Words, word: string): number =>
    Math.log2(1 + (counts.get(word) ?? 0)) * Math.log(1 + said.length / (chaptersWith.get(word) ?? 1)) +
    (named.has(word) ? 1 : 0);
  return said.map(({ counts, within }) => {
    const scored = within.map((sentence) => {
      const { words } = sentence;
      const weight = [...new Set(words)].reduce((sum, word) => sum + weigh(counts, word), 0);
      const length = Math.max(1, FEW_WORDS - words.length, words.length / MANY_WORDS);
      return { sentence, score: weight / Math.sqrt(1 + words.length) / length };
    });
    return scored.toSorted((a, b) => b.score - a.score)[0]?.sentence;
  });
}
