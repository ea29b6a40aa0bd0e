/**
 * The response of `/v1/audio/transcriptions` with `response_format=verbose_json`, checked and converted to words.
 * Servers differ: words come beside the segments, within them, or not at all.
 * https://platform.openai.com/docs/api-reference/audio/verbose-json-object
 */
import type { Word } from '../../domain/words.ts';
import { nonsense } from './http-engine.ts';
import { withPunctuation } from './punctuation.ts';
import { readLanguage } from './whisper-languages.ts';

type Fields = Readonly<Record<string, unknown>>;

const MOST_WORDS_A_SECOND = 25;
const LONGEST_WORD = 200;
/** For segments without words: text without spaces counts as one word. */
const LONGEST_PIECE = 1_000;
/** Times are rounded, and an encoder pads the end. */
const SLACK_MS = 1_000;
/** Whisper's own rule for segments without speech (its `no_speech_threshold` and `logprob_threshold`). */
const NO_SPEECH = 0.6;
const NO_SENSE = -1;

/**
 * Words with times from the start of the file.
 * @throws AppError `nonsense` for a response that breaks the contract or is in another language than requested
 */
export function readTranscription(answer: unknown, asked: string, durationMs: number): Word[] {
  if (!isFields(answer) || typeof answer['text'] !== 'string') throw nonsense('no transcription');
  const language = readLanguage(answer['language']);
  if (language !== undefined && language !== readLanguage(asked))
    throw nonsense(`words in '${language}' where '${asked}' is spoken`);
  const words = inOrder(wordsOf(answer, durationMs).filter(({ text }) => text !== ''));
  if (words.length > mostWords(durationMs)) throw nonsense(`${words.length} words`);
  if (words.length === 0 && answer['text'].trim() !== '' && !Array.isArray(answer['segments']))
    throw nonsense('a text without times');
  const segments = listOf(answer['segments'], 'segments', Number.POSITIVE_INFINITY);
  return withPunctuation(words, answer['text']).map((word) => ({
    ...word,
    confidence: word.confidence ?? confidenceAt(segments, word.startMs),
  }));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function inOrder(words: readonly Word[]): Word[] {
  return words.map((word, index) => {
    const next = words[index + 1];
    if (next && next.startMs < word.startMs) throw nonsense('words that go back in time');
    // Some servers let a word end within the next.
    return next && next.startMs < word.endMs ? { ...word, endMs: next.startMs } : word;
  });
}

function wordsOf(answer: Fields, durationMs: number): Word[] {
  const most = mostWords(durationMs);
  const segments = listOf(answer['segments'], 'segments', most);
  const spoken = segments.filter(isSpoken);
  const silent = segments.filter((segment) => !isSpoken(segment)).map((segment) => timesOf(segment, durationMs));
  const within = spoken.map((segment) => listOf(segment['words'], 'words', most));
  const beside = listOf(answer['words'], 'words', most);
  if (beside.length > 0)
    return beside
      .map((word) => readWord(word, durationMs))
      .filter(({ startMs, endMs }) => !silent.some((gap) => gap.startMs <= startMs && endMs <= gap.endMs));
  return spoken.flatMap((segment, index) => {
    const own = within[index] ?? [];
    return own.length > 0 ? own.map((word) => readWord(word, durationMs)) : spread(segment, durationMs);
  });
}

function isSpoken({ no_speech_prob: none, avg_logprob: sense }: Fields): boolean {
  return !(typeof none === 'number' && none > NO_SPEECH && typeof sense === 'number' && sense < NO_SENSE);
}

/** Milliseconds of the file; `start` and `end` come in seconds. */
function timesOf({ start, end }: Fields, durationMs: number): { startMs: number; endMs: number } {
  if (typeof start !== 'number' || typeof end !== 'number') throw nonsense('a time is missing');
  const [startMs, endMs] = [Math.round(start * 1_000), Math.round(end * 1_000)];
  const ordered = Number.isFinite(startMs) && Number.isFinite(endMs) && startMs >= 0 && endMs >= startMs;
  if (!ordered || startMs > durationMs + SLACK_MS) throw nonsense(`a time from ${start} to ${end} seconds`);
  return { startMs: Math.min(startMs, durationMs), endMs: Math.min(endMs, durationMs) };
}

function readWord(word: Fields, durationMs: number): Word {
  const text = textOf(word['word'] ?? word['text']);
  if (text.length > LONGEST_WORD) throw nonsense(`a word of ${text.length} characters`);
  return { text, ...timesOf(word, durationMs), confidence: share(word['probability']) };
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw nonsense('a text is missing');
  // Control characters have no place in a caption; spaces within a word stay.
  return value
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
}

function share(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : null;
}

/** Words of a segment without times of its words: each as long as its share of the letters. */
function spread(segment: Fields, durationMs: number): Word[] {
  const { startMs, endMs } = timesOf(segment, durationMs);
  const texts = textOf(segment['text'])
    .split(/\s+/u)
    .filter((text) => text !== '');
  if (texts.some(({ length }) => length > LONGEST_PIECE)) throw nonsense('a word that nobody can say');
  const letters = texts.join('').length;
  let before = 0;
  const at = (): number => Math.round(startMs + ((endMs - startMs) * before) / letters);
  return texts.map((text) => {
    const from = at();
    before += text.length;
    return { text, startMs: from, endMs: at(), confidence: null };
  });
}

function mostWords(durationMs: number): number {
  return 100 + (durationMs / 1_000) * MOST_WORDS_A_SECOND;
}

function listOf(value: unknown, what: string, most: number): Fields[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every(isFields)) throw nonsense(`${what} are no list of objects`);
  if (value.length > most) throw nonsense(`${value.length} ${what}`);
  return value;
}

function confidenceAt(spoken: readonly Fields[], startMs: number): number | null {
  const seconds = startMs / 1_000;
  const segment = spoken.find(({ start, end }) => Number(start) <= seconds && seconds <= Number(end));
  const logarithm = segment?.['avg_logprob'];
  return typeof logarithm === 'number' ? share(Math.exp(logarithm)) : null;
}
