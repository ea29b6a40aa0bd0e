/**
 * The response of `/v1/audio/transcriptions` with `response_format=verbose_json`, checked and converted to words.
 * Servers differ: words come beside the segments, within them, or not at all.
 * https://platform.openai.com/docs/api-reference/audio/verbose-json-object
 */
import { oneLine } from '../../domain/plain-text.ts';
import { joinPieces } from '../../domain/speech/join-pieces.ts';
import { divideSpan, type Span, type Word } from '../../domain/words.ts';
import { invalidResponse, isRecord } from '@vds/chassis/http/http-engine';
import { withPunctuation } from './punctuation.ts';
import { readLanguage } from './whisper-languages.ts';

type Fields = Readonly<Record<string, unknown>>;

const MAX_WORDS_A_SECOND = 25;
const MAX_WORD = 200;
/** For segments without words: text without spaces counts as one word. */
const MAX_PIECE = 1_000;
/** Times are rounded, and an encoder pads the end. */
const SLACK_MS = 1_000;
/** Whisper's own rule for segments without speech (its `no_speech_threshold` and `logprob_threshold`). */
const MAX_NO_SPEECH = 0.6;
const MIN_LOG_PROBABILITY = -1;

/**
 * Words with times from the start of the file.
 * @param requested the language of the words; undefined: any
 * @throws AppError `invalidResponse` for a response that breaks the contract or is in another language than requested
 */
export function readTranscription(response: unknown, requested: string | undefined, durationMs: number): Word[] {
  if (!isRecord(response) || typeof response['text'] !== 'string') throw invalidResponse('no transcription');
  const language = readLanguage(response['language']);
  if (requested !== undefined && language !== undefined && language !== readLanguage(requested))
    throw invalidResponse(`words in '${language}' where '${requested}' is spoken`);
  const words = inOrder(joinPieces(wordsOf(response, durationMs)));
  if (words.length > mostWords(durationMs)) throw invalidResponse(`${words.length} words`);
  if (words.length === 0 && response['text'].trim() !== '' && !Array.isArray(response['segments']))
    throw invalidResponse('a text without times');
  const segments = listOf(response['segments'], 'segments', Number.POSITIVE_INFINITY);
  return withPunctuation(words, response['text']).map((word) => ({
    ...word,
    confidence: word.confidence ?? confidenceAt(segments, word.startMs),
  }));
}

function inOrder(words: readonly Word[]): Word[] {
  return words.map((word, index) => {
    const next = words[index + 1];
    if (next && next.startMs < word.startMs) throw invalidResponse('words that go back in time');
    // Some servers let a word end within the next.
    return next && next.startMs < word.endMs ? { ...word, endMs: next.startMs } : word;
  });
}

function wordsOf(response: Fields, durationMs: number): Word[] {
  const most = mostWords(durationMs);
  const segments = listOf(response['segments'], 'segments', most);
  const spoken = segments.filter(isSpoken);
  const silent = segments.filter((segment) => !isSpoken(segment)).map((segment) => timesOf(segment, durationMs));
  const within = spoken.map((segment) => listOf(segment['words'], 'words', most));
  const beside = listOf(response['words'], 'words', most);
  if (beside.length > 0)
    return beside
      .map((word) => readWord(word, durationMs))
      .filter(({ startMs, endMs }) => !silent.some((gap) => gap.startMs <= startMs && endMs <= gap.endMs));
  return spoken.flatMap((segment, index) => {
    const own = within[index] ?? [];
    return own.length > 0 ? own.map((word) => readWord(word, durationMs)) : spread(segment, durationMs);
  });
}

function isSpoken({ no_speech_prob: noSpeech, avg_logprob: logProbability }: Fields): boolean {
  if (typeof noSpeech !== 'number' || typeof logProbability !== 'number') return true;
  return noSpeech <= MAX_NO_SPEECH || logProbability >= MIN_LOG_PROBABILITY;
}

/** Milliseconds of the file; `start` and `end` come in seconds. */
function timesOf({ start, end }: Fields, durationMs: number): Span {
  if (typeof start !== 'number' || typeof end !== 'number') throw invalidResponse('a time is missing');
  const [startMs, endMs] = [Math.round(start * 1_000), Math.round(end * 1_000)];
  const ordered = Number.isFinite(startMs) && Number.isFinite(endMs) && startMs >= 0 && endMs >= startMs;
  if (!ordered || startMs > durationMs + SLACK_MS) throw invalidResponse(`a time from ${start} to ${end} seconds`);
  return { startMs: Math.min(startMs, durationMs), endMs: Math.min(endMs, durationMs) };
}

function readWord(word: Fields, durationMs: number): Word {
  const given = word['word'] ?? word['text'];
  // Where a word continues the one before, no space precedes it.
  const text = (/^\s/.test(String(given)) ? ' ' : '') + textOf(given);
  if (text.length > MAX_WORD) throw invalidResponse(`a word of ${text.length} characters`);
  return { text, ...timesOf(word, durationMs), confidence: share(word['probability']) };
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw invalidResponse('a text is missing');
  return oneLine(value);
}

function share(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : null;
}

/** Words of a segment without times of its words: each as long as its share of the letters. */
function spread(segment: Fields, durationMs: number): Word[] {
  const words = textOf(segment['text'])
    .split(/\s+/u)
    .filter((text) => text !== '')
    .map((text) => ({ text, confidence: null }));
  if (words.some(({ text }) => text.length > MAX_PIECE)) throw invalidResponse('a word that nobody can speak');
  return divideSpan(words, ({ text }) => text.length, timesOf(segment, durationMs));
}

function mostWords(durationMs: number): number {
  return 100 + (durationMs / 1_000) * MAX_WORDS_A_SECOND;
}

function listOf(value: unknown, what: string, most: number): Fields[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every(isRecord)) throw invalidResponse(`${what} are no list of objects`);
  if (value.length > most) throw invalidResponse(`${value.length} ${what}`);
  return value;
}

function confidenceAt(spoken: readonly Fields[], startMs: number): number | null {
  const seconds = startMs / 1_000;
  const segment = spoken.find(({ start, end }) => Number(start) <= seconds && seconds <= Number(end));
  const logarithm = segment?.['avg_logprob'];
  return typeof logarithm === 'number' ? share(Math.exp(logarithm)) : null;
}
