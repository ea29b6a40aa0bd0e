/** The transcripts of the fake speech engine: words from a table, or two sentences repeated. */

export type SpokenWord = {
  readonly text: string;
  /** Seconds from the start of the file. */
  readonly start: number;
  readonly end: number;
};

const sentences = [
  'The goalkeeper makes a brilliant save in the final minute.',
  'The striker scores the winning goal, and the crowd goes wild!',
];
const WORD_SECONDS = 0.35;
const PAUSE_SECONDS = 0.8;

/** `words`: next to the segments, without punctuation, as OpenAI does; `nested`: within them; `segments`: no words. */
export type Shape = 'words' | 'nested' | 'segments';

type Segment = { readonly words: readonly SpokenWord[] };

/** Words for a file of that length: a sentence, a pause, the next. */
export function defaultWords(seconds: number): SpokenWord[] {
  const words: SpokenWord[] = [];
  let at = 0.5;
  for (let turn = 0; at < seconds; turn += 1) {
    for (const text of (sentences[turn % sentences.length] ?? '').split(' ')) {
      words.push({ text, start: at, end: at + WORD_SECONDS });
      at += WORD_SECONDS;
    }
    at += PAUSE_SECONDS;
  }
  return words.filter(({ end }) => end <= seconds);
}

/** Length of a WAV file by its header (RIFF, bytes a second at offset 28); 0 for any other file. */
export function wavSeconds(file: Buffer): number {
  return file.length > 44 && file.toString('latin1', 0, 4) === 'RIFF' ? (file.length - 44) / file.readUInt32LE(28) : 0;
}

/** The response for `response_format=verbose_json`. */
export function verboseJson(words: readonly SpokenWord[], language: string, seconds: number, shape: Shape): unknown {
  const bare = (text: string): string => text.replaceAll(/[^\p{L}\p{M}\p{N}'’-]+/gu, '');
  const timed = words.map(({ text, start, end }) => ({ word: bare(text), start: round(start), end: round(end) }));
  const segments = segmentsOf(words).map((segment, id) => ({
    id,
    start: round(segment.words[0]?.start ?? 0),
    end: round(segment.words.at(-1)?.end ?? 0),
    text: ` ${segment.words.map(({ text }) => text).join(' ')}`,
    avg_logprob: -0.2,
    no_speech_prob: 0.01,
    ...(shape === 'nested'
      ? { words: segment.words.map(({ text, start, end }) => ({ word: ` ${text}`, start, end, probability: 0.9 })) }
      : {}),
  }));
  const text = words.map((word) => word.text).join(' ');
  return {
    task: 'transcribe',
    language,
    duration: seconds,
    text,
    segments,
    ...(shape === 'words' ? { words: timed } : {}),
  };
}

function round(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}

function segmentsOf(words: readonly SpokenWord[]): Segment[] {
  const segments: SpokenWord[][] = [[]];
  for (const word of words) {
    segments.at(-1)?.push(word);
    if (/[.!?]$/.test(word.text)) segments.push([]);
  }
  return segments.filter((segment) => segment.length > 0).map((segment) => ({ words: segment }));
}
