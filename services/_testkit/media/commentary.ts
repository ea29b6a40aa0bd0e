/**
 * Commentary on matches, spoken by ffmpeg's flite and placed at known times of one track: the input for measuring
 * transcription.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { speak } from './speak.ts';

/** 26 sentences without digits, so that the spoken words equal the written ones. */
export const commentary: readonly string[] = [
  'The goalkeeper makes a brilliant save in the final minute of the championship match.',
  'The striker scores the winning goal and the crowd goes wild.',
  'Welcome back to the second half of this exciting game.',
  'She runs past two defenders and shoots from outside the box.',
  'The referee blows the whistle and points to the penalty spot.',
  'What a beautiful pass from the captain of the home team.',
  'The coach makes another change before the corner kick.',
  'He takes three steps back and looks at the keeper.',
  'The ball hits the post and rolls away from the line.',
  'It was the fastest race of the season so far.',
  'The visitors have not lost a single game this year.',
  'The champion serves for the match after two hours of play.',
  'Her opponent returns the ball deep into the corner.',
  'The leader of the race has a gap of twenty seconds.',
  'Rain is falling over the stadium and the grass is wet.',
  'The young player waves to the fans as he leaves the field.',
  'They need one more point to win the title tonight.',
  'The defense was very strong in the first quarter.',
  'He catches the ball and runs straight down the middle.',
  'The judges give her the highest score of the evening.',
  'The swimmer touches the wall and breaks the world record.',
  'Nobody expected such a close finish in this competition.',
  'The team in white has won every game since January.',
  'Both sides are looking tired in the last ten minutes.',
  'The president of the club hands over the golden cup.',
  'Thank you for watching and good night from the arena.',
];

const RATE = 16_000;
const BYTES_A_MS = (RATE * 2) / 1_000;
const HEADER_BYTES = 44;
export type SpokenTrack = {
  /** A WAV file: 16 kHz, mono, 16 bit. */
  readonly path: string;
  readonly durationMs: number;
  readonly sentences: readonly { readonly text: string; readonly startMs: number; readonly endMs: number }[];
};

/** Pauses between sentences, used in rotation. */
const PAUSES_MS = [900, 1_500, 700, 2_600, 1_100];
const VOICES = ['slt', 'rms'] as const;

/**
 * Writes a track with each of `texts` at a time known to the millisecond, in English in two alternating voices.
 * @throws if no voice for the language is installed (`voiceOf`)
 */
export async function speakTrack(texts: readonly string[], path: string, language = 'en'): Promise<SpokenTrack> {
  const parts: Buffer[] = [];
  const sentences: { text: string; startMs: number; endMs: number }[] = [];
  let at = 0;
  const add = (samples: Buffer): void => {
    parts.push(samples);
    at += samples.length / BYTES_A_MS;
  };
  for (const [index, text] of texts.entries()) {
    add(Buffer.alloc((PAUSES_MS[index % PAUSES_MS.length] ?? 0) * BYTES_A_MS));
    const startMs = at;
    add(await spoken(language, text, VOICES[index % 2] ?? 'slt'));
    sentences.push({ text, startMs, endMs: at });
  }
  add(Buffer.alloc(1_000 * BYTES_A_MS));
  const samples = Buffer.concat(parts);
  await writeFile(path, Buffer.concat([header(samples.length), samples]));
  return { path, durationMs: Math.round(at), sentences };
}

/** 16 bit samples, 16 kHz, mono. */
async function spoken(language: string, sentence: string, voice: string): Promise<Buffer> {
  const file = await speak(language, sentence, voice);
  if (file === null) throw new Error(`no voice for '${language}' is installed`);
  return (await readFile(file)).subarray(HEADER_BYTES);
}

function header(bytes: number): Buffer {
  const out = Buffer.alloc(HEADER_BYTES);
  out.write('RIFF', 0);
  out.writeUInt32LE(36 + bytes, 4);
  out.write('WAVEfmt ', 8);
  out.writeUInt32LE(16, 16);
  out.writeUInt16LE(1, 20);
  out.writeUInt16LE(1, 22);
  out.writeUInt32LE(RATE, 24);
  out.writeUInt32LE(RATE * 2, 28);
  out.writeUInt16LE(2, 32);
  out.writeUInt16LE(16, 34);
  out.write('data', 36);
  out.writeUInt32LE(bytes, 40);
  return out;
}
