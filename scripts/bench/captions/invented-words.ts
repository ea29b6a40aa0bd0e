/** What a speech engine finds where nobody speaks, and what that costs: ten minutes each of noise, crowds and music. */
import { basename } from 'node:path';
import { renderRecording, renderSound, speechless, speechlessRecordings } from '@vds/testkit/media/speechless';
import { step } from '@vds/testkit/servers/progress';
import type { SpeechEngine } from '@vds/captions/outbound/engines/speech-engine';
import { childSeconds } from './processor-time.ts';

const SECONDS = 600;
/** What is made of a kind of sound; the rest repeats it. */
const MADE_SECONDS = 60;

type Sound = { readonly name: string; readonly render: () => Promise<string> };

/** A line for each kind of sound: the words that were found, and seconds of processor for a minute of it. */
export async function benchInventedWords(engine: SpeechEngine): Promise<string[]> {
  const lines: string[] = [];
  for (const sound of sounds()) lines.push(await step(`nobody speaks: ${sound.name}`, () => measure(engine, sound)));
  return lines;
}

function sounds(): Sound[] {
  const recordings = speechlessRecordings().map((file) => ({ name: basename(file), render: async () => file }));
  const made = Object.entries(speechless).map(([name, source]) => ({
    name,
    render: () => renderSound(source, MADE_SECONDS),
  }));
  return [...made, ...recordings];
}

async function measure(engine: SpeechEngine, { name, render }: Sound): Promise<string> {
  const input = {
    wavPath: await renderRecording(await render(), SECONDS),
    language: 'en',
    durationMs: SECONDS * 1_000,
    offsetMs: 0,
  };
  const from = await childSeconds();
  const words = await engine.transcribe(input, new AbortController().signal, () => undefined);
  const seconds = (await childSeconds()) - from;
  const label = `${engine.name}, ${name}`.padEnd(44);
  const texts = words.length === 0 ? '' : `: ${words.map(({ text }) => text).join(' ')}`;
  return `${label}  ${words.length} words in ${SECONDS / 60} min, ${((seconds * 60) / SECONDS).toFixed(2)} s a minute${texts}`;
}
