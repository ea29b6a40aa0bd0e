/** Accuracy and speed of the engines' transcription and translation, and how close cues are to the speech. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commentary } from '@vds/testkit/media/commentary';
import { step } from '@vds/testkit/servers/progress';
import { buildSpokenCues, buildTranslatedCues } from '@vds/captions/domain/layout/build-cues';
import type { Cue } from '@vds/captions/domain/layout/cues';
import { defaultTargets, targetsFor } from '@vds/captions/domain/plan-tracks';
import { findRoutes } from '@vds/captions/domain/routes';
import type { TranslationEngine } from '@vds/captions/outbound/engines/translation-engine';
import { keptRules } from './cue-rules.ts';
import { speechEngines, translationEngines, type Opened } from './engines.ts';
import { benchInventedWords } from './invented-words.ts';
import { benchNames, namesTracks } from './names.ts';
import { benchSpeech, speechTracks } from './speech.ts';
import { plainWords } from './word-errors.ts';

const WORDS = 1_000;
/** 150 words a minute. */
const LETTER_MS = 70;

const benches: Readonly<Record<string, (folder: string) => Promise<string[]>>> = {
  speech: async (folder) => {
    const tracks = await step('speech', () => speechTracks(folder));
    return benchEach(await speechEngines(), 'transcribing', (engine) => benchSpeech(engine, tracks));
  },
  translation: async (folder) =>
    benchEach(await translationEngines(folder), 'translating', (engine) =>
      benchTranslation(engine, defaultTargets(engine.name)),
    ),
  names: async (folder) => {
    const tracks = await step('spoken names', () => namesTracks(folder));
    return benchEach(await speechEngines(), 'names', (engine) => benchNames(engine, tracks));
  },
  noise: async () => benchEach(await speechEngines(), 'nobody speaks', benchInventedWords),
};

/** @param only one of `speech`, `translation`, `names` and `noise`; by default all of them */
export async function benchCaptions(only?: string): Promise<void> {
  const chosen = Object.entries(benches).filter(([name]) => only === undefined || name === only);
  if (chosen.length === 0) throw new Error(`Which part? One of: ${Object.keys(benches).join(', ')}.`);
  const folder = await mkdtemp(join(tmpdir(), 'vds-bench-captions-'));
  try {
    for (const [, bench] of chosen) process.stdout.write(`${(await bench(folder)).join('\n')}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function benchEach<E extends { readonly name: string; readonly close?: () => Promise<void> }>(
  opened: readonly Opened<E>[],
  what: string,
  measure: (engine: E) => Promise<string[]>,
): Promise<string[]> {
  const lines: string[] = [];
  for (const { name, engine } of opened) {
    if (typeof engine === 'string') lines.push(`${name.padEnd(36)}  skipped: ${engine}`);
    else {
      try {
        lines.push(...(await step(`${what}: ${name}`, () => measure(engine))));
      } finally {
        await engine.close?.();
      }
    }
  }
  return lines;
}

async function benchTranslation(engine: TranslationEngine, targets: readonly string[]): Promise<string[]> {
  const routes = findRoutes(await engine.pairs());
  const sentences = thousandWords();
  const each: string[] = [];
  let total = 0;
  const configured = targetsFor('en', targets);
  for (const target of configured) {
    const path = routes('en', target);
    if (path === undefined) continue;
    const from = performance.now();
    const texts = await engine.translate(sentences, path, new AbortController().signal);
    const seconds = (performance.now() - from) / 1_000;
    total += seconds;
    each.push(`${target} ${seconds.toFixed(1)} s (${keptRules(translatedCues(sentences, texts, target))})`);
  }
  const label = `${engine.name}, ${WORDS} words`.padEnd(36);
  return [
    `${label}  ${total.toFixed(1)} s for ${each.length} of ${configured.length} languages, one after the other: ${each.join(', ')}`,
  ];
}

/** As if the sentences were spoken one after the other, without a pause. */
function translatedCues(sentences: readonly string[], texts: readonly string[], language: string): readonly Cue[] {
  let atMs = 0;
  const spoken = sentences.map((text) => {
    const startMs = atMs;
    const words = text.split(' ').map((word) => {
      const wordMs = atMs;
      atMs += LETTER_MS * (word.length + 1);
      return { text: word, startMs: wordMs, endMs: atMs, confidence: null };
    });
    return { text, startMs, endMs: atMs, words };
  });
  const source = buildSpokenCues(spoken, 'en', atMs).sentences;
  return buildTranslatedCues(texts, source, language, atMs).cues;
}

/** A thousand words of commentary, sentence by sentence. */
function thousandWords(): string[] {
  const out: string[] = [];
  for (let words = 0, index = 0; words < WORDS; index += 1) {
    const sentence = commentary[index % commentary.length] ?? '';
    out.push(sentence);
    words += plainWords(sentence).length;
  }
  return out;
}
