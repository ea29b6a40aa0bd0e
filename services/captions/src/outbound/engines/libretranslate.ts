/**
 * A translation server that implements LibreTranslate's `/translate` and `/languages` (https://docs.libretranslate.com).
 */
import { languageTag } from '../../domain/language-tag.ts';
import { oneLine } from '../../domain/plain-text.ts';
import type { Pair } from '../../domain/routes.ts';
import { invalidResponse, isRecord, openHttpEngine, type HttpEngineOptions } from '@vds/chassis/http/http-engine';
import { pivotTranslate } from './pivot-translate.ts';
import { batchesOf } from './sentence-batches.ts';
import type { TranslationEngine } from './translation-engine.ts';

const LANGUAGES_BYTES = 4 * 2 ** 20;
const MAX_LANGUAGES = 1_000;

/** Tags (BCP 47) of the server's codes that are none, or another language's; they changed over its versions. */
const tags: Readonly<Record<string, string>> = {
  zh: 'zh',
  'zh-Hans': 'zh',
  'zh-CN': 'zh',
  zt: 'zh-Hant',
  'zh-TW': 'zh-Hant',
  pb: 'pt-BR',
  'pt-PT': 'pt',
  nb: 'no',
};

/** What the server supports: its own code for each tag, and the steps between tags. */
type Languages = { readonly codes: ReadonlyMap<string, string>; readonly pairs: readonly Pair[] };

export type LibretranslateOptions = Omit<HttpEngineOptions, 'name' | 'key'> & { readonly apiKey: string | undefined };

export function openLibretranslate({ apiKey, ...options }: LibretranslateOptions): TranslationEngine {
  const call = openHttpEngine({ ...options, name: 'the translation server' });
  let known: Languages | undefined;

  const fetchLanguages = async (signal: AbortSignal): Promise<Languages> => {
    const path = 'languages';
    return (known = await call({ method: 'GET', path, mostBytes: LANGUAGES_BYTES, read: readLanguages, signal }));
  };

  const step = async (
    sentences: readonly string[],
    from: string,
    to: string,
    signal: AbortSignal,
  ): Promise<string[]> => {
    const { codes } = known ?? (await fetchLanguages(signal));
    const languages = { source: codes.get(from) ?? from, target: codes.get(to) ?? to };
    const request = (q: readonly string[]) =>
      call({
        method: 'POST',
        path: 'translate',
        isJson: true,
        body: async () => JSON.stringify({ q, ...languages, format: 'text', api_key: apiKey }),
        mostBytes: 2 ** 20 + q.join('').length * 40,
        read: (response) => readTexts(response, q),
        signal,
      });
    const texts: string[] = [];
    for (const batch of batchesOf(sentences))
      texts.push(...((await request(batch)) ?? (await oneByOne(batch, request))));
    return texts;
  };

  return {
    name: 'libretranslate',
    pairs: async () => (await fetchLanguages(new AbortController().signal)).pairs,
    translate: (sentences, path, signal) =>
      pivotTranslate(sentences.map(oneLine), path, (texts, from, to) => step(texts, from, to, signal)),
  };
}

/** @throws AppError `invalidResponse` */
function readLanguages(response: unknown): Languages {
  if (!Array.isArray(response) || response.length > MAX_LANGUAGES) throw invalidResponse('no list of languages');
  const codes = new Map<string, string>();
  const rows = response.map((row: unknown) => {
    if (!isRecord(row) || typeof row['code'] !== 'string') throw invalidResponse('a language without a code');
    const tag = tagOf(row['code']);
    if (tag !== undefined && !codes.has(tag)) codes.set(tag, row['code']);
    const targets: unknown = row['targets'] ?? response.map((other: unknown) => isRecord(other) && other['code']);
    if (!Array.isArray(targets) || targets.length > MAX_LANGUAGES) throw invalidResponse('targets are no list');
    return { from: tag, targets: targets.map((code: unknown) => (typeof code === 'string' ? tagOf(code) : undefined)) };
  });
  const pairs = rows.flatMap(({ from, targets }) =>
    [...new Set(targets)].flatMap((to) =>
      from !== undefined && to !== undefined && from !== to && codes.has(to) ? [{ from, to, weight: 1 }] : [],
    ),
  );
  return { codes, pairs };
}

/** Undefined for what is not a language tag. */
function tagOf(code: string): string | undefined {
  return Object.hasOwn(tags, code) ? tags[code] : languageTag(code);
}

/** The texts, or undefined where one is empty or their number is wrong. */
function readTexts(response: unknown, sentences: readonly string[]): string[] | undefined {
  const texts: unknown = isRecord(response) ? response['translatedText'] : undefined;
  if (!Array.isArray(texts)) throw invalidResponse('no translated texts');
  if (texts.length !== sentences.length) return undefined;
  const read = texts.map((text: unknown, index) => readText(text, sentences[index] ?? ''));
  return read.includes('') ? undefined : read;
}

function readText(text: unknown, sentence: string): string {
  if (typeof text !== 'string') throw invalidResponse('a translation that is no text');
  if (text.length > mostCharacters(sentence)) throw invalidResponse(`${text.length} characters for ${sentence.length}`);
  // The translation of a sentence without letters or digits may be empty.
  return oneLine(text) || (/[\p{L}\p{N}]/u.test(sentence) ? '' : sentence);
}

/** More than any sentence grows in translation. */
function mostCharacters(sentence: string): number {
  return 500 + sentence.length * 10;
}

/** Sends each sentence by itself, for a server that mixes up the sentences of a batch. */
async function oneByOne(
  sentences: readonly string[],
  request: (sentences: readonly string[]) => Promise<string[] | undefined>,
): Promise<string[]> {
  const texts: string[] = [];
  for (const sentence of sentences) {
    const [text] = (await request([sentence])) ?? [];
    if (text === undefined) throw invalidResponse('an empty translation, or more than one of a sentence');
    texts.push(text);
  }
  return texts;
}
