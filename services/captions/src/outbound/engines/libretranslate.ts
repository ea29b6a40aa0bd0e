/**
 * A translation server that speaks LibreTranslate's `/translate` and `/languages` (https://docs.libretranslate.com).
 */
import { pivotTranslate } from './pivot-translate.ts';
import { nonsense, openHttpEngine, type HttpEngine, type HttpEngineOptions } from './http-engine.ts';
import { isFields, readOffer, type Offer } from './libretranslate-languages.ts';
import type { TranslationEngine } from './translation-engine.ts';

/** Servers limit a request's characters and sentences; these are below their default limits. */
const BATCH_SENTENCES = 50;
const BATCH_CHARACTERS = 4_000;
const LANGUAGES_BYTES = 4 * 2 ** 20;

type Step = {
  readonly call: HttpEngine;
  readonly apiKey: string | undefined;
  /** The server's own codes. */
  readonly source: string;
  readonly target: string;
  readonly signal: AbortSignal;
};

export type LibretranslateOptions = Omit<HttpEngineOptions, 'name' | 'key'> & { readonly apiKey: string | undefined };

export function openLibretranslate({ apiKey, ...options }: LibretranslateOptions): TranslationEngine {
  const call = openHttpEngine({ ...options, name: 'the translation server' });
  let known: Offer | undefined;

  const look = async (signal: AbortSignal): Promise<Offer> => {
    const path = 'languages';
    return (known = await call({ method: 'GET', path, mostBytes: LANGUAGES_BYTES, read: readOffer, signal }));
  };

  const step = async (
    sentences: readonly string[],
    from: string,
    to: string,
    signal: AbortSignal,
  ): Promise<string[]> => {
    const { codes } = known ?? (await look(signal));
    const languages = { source: codes.get(from) ?? from, target: codes.get(to) ?? to };
    const asked: Step = { call, apiKey, ...languages, signal };
    const texts: string[] = [];
    for (const batch of batchesOf(sentences))
      texts.push(...((await ask(asked, batch)) ?? (await askEach(asked, batch))));
    return texts;
  };

  return {
    name: 'libretranslate',
    pairs: async () => (await look(new AbortController().signal)).pairs,
    translate: (sentences, path, signal) =>
      pivotTranslate(sentences.map(clean), path, (texts, from, to) => step(texts, from, to, signal)),
  };
}

/** Sentences as a list of lists, each small enough for one request. */
export function batchesOf(sentences: readonly string[]): string[][] {
  const batches: string[][] = [];
  let characters = 0;
  for (const sentence of sentences) {
    const batch = batches.at(-1);
    characters += sentence.length;
    if (batch && batch.length < BATCH_SENTENCES && characters <= BATCH_CHARACTERS) batch.push(sentence);
    else {
      batches.push([sentence]);
      characters = sentence.length;
    }
  }
  return batches;
}

function ask({ call, apiKey, source, target, signal }: Step, sentences: readonly string[]) {
  return call({
    method: 'POST',
    path: 'translate',
    isJson: true,
    body: async () => JSON.stringify({ q: sentences, source, target, format: 'text', api_key: apiKey }),
    mostBytes: 2 ** 20 + sentences.join('').length * 40,
    read: (answer) => readTexts(answer, sentences),
    signal,
  });
}

/** The texts, or undefined where one is empty or their number is wrong. */
function readTexts(answer: unknown, asked: readonly string[]): string[] | undefined {
  const texts: unknown = isFields(answer) ? answer['translatedText'] : undefined;
  if (!Array.isArray(texts)) throw nonsense('no translated texts');
  if (texts.length !== asked.length) return undefined;
  const read = texts.map((text: unknown, index) => readText(text, asked[index] ?? ''));
  return read.includes('') ? undefined : read;
}

function readText(text: unknown, sentence: string): string {
  if (typeof text !== 'string') throw nonsense('a translation that is no text');
  if (text.length > mostCharacters(sentence)) throw nonsense(`${text.length} characters for ${sentence.length}`);
  // The translation of a sentence without letters or digits may be empty.
  return clean(text) || (/[\p{L}\p{N}]/u.test(sentence) ? '' : sentence);
}

/** More than any sentence grows in translation. */
function mostCharacters(sentence: string): number {
  return 500 + sentence.length * 10;
}

/** Sends each sentence by itself, for a server that mixes up the sentences of a batch. */
async function askEach(step: Step, sentences: readonly string[]): Promise<string[]> {
  const texts: string[] = [];
  for (const sentence of sentences) {
    const [text] = (await ask(step, [sentence])) ?? [];
    if (text === undefined) throw nonsense('an empty translation, or more than one of a sentence');
    texts.push(text);
  }
  return texts;
}

/** One line, as a sentence must be. */
function clean(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}
