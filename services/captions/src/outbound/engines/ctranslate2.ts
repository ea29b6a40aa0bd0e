/**
 * The second embedded translation engine: a translation model that CTranslate2 runs on processors (NLLB, M2M-100,
 * OPUS-MT), from a folder of the operator's.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, messageOf } from '@vds/chassis/errors';
import { languageTag } from '../../domain/language-tag.ts';
import { oneLine } from '../../domain/plain-text.ts';
import { fields, list, string } from './model-lines.ts';
import { readModelLanguages, type DeclaredLanguages, type ModelLanguages } from './model-languages.ts';
import { openPythonModel, type PythonModelOptions } from './python-model.ts';
import { pivotTranslate } from './pivot-translate.ts';
import { batchesOf } from './sentence-batches.ts';
import type { TranslationEngine } from './translation-engine.ts';

const kind = {
  ...{ name: 'ctranslate2', program: 'translate.py', setting: 'TRANSLATION_MODEL' },
  holds: 'a CTranslate2 translation model',
};

/** Declares the languages of a model that does not name them. */
const DECLARATION = 'languages.json';

/** @throws AppError FAILED_PRECONDITION whose message states what to set or install */
export async function openCtranslate2(options: PythonModelOptions): Promise<TranslationEngine> {
  const { pool, ready, folder } = await openPythonModel(kind, options);
  const { pairs, prefixes } = await languagesOf(folder, ready.languages).catch(async (error: unknown) => {
    await pool.close();
    throw error;
  });
  options.log.info({ ctranslate2: ready.version, model: folder, pairs: pairs.length }, 'translation engine');
  const step = async (texts: readonly string[], from: string, to: string, signal: AbortSignal): Promise<string[]> => {
    const { source, target } = prefixes(from, to);
    const found: string[] = [];
    for (const batch of batchesOf(texts)) {
      const request = { source_prefix: source, target_prefix: target, texts: batch };
      await pool.use((process) =>
        process.call(request, Buffer.alloc(0), signal, (part) => void found.push(oneLine(string(part['text'])))),
      );
    }
    // A sentence of which nothing came back stays as it is.
    return found.map((text, index) => text || (texts[index] ?? ''));
  };
  return {
    name: kind.name,
    pairs: () => Promise.resolve(pairs),
    translate: (sentences, path, signal) =>
      pivotTranslate(sentences.map(oneLine), path, (texts, from, to) => step(texts, from, to, signal)),
    close: pool.close,
  };
}

async function languagesOf(folder: string, tokens: readonly string[]): Promise<ModelLanguages> {
  const path = join(folder, DECLARATION);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  const declared = text === undefined ? undefined : readDeclaration(path, text);
  return (
    readModelLanguages(tokens, declared) ??
    refuse(`TRANSLATION_MODEL (${folder}) does not name its languages: write {"from": ["en"], "to": ["de"]} to ${path}`)
  );
}

function readDeclaration(path: string, text: string): DeclaredLanguages {
  try {
    const declared = fields(JSON.parse(text));
    const tags = (key: string): string[] =>
      list(declared[key]).map((code) => languageTag(string(code)) ?? refuse(`'${string(code)}' is no language`));
    return { from: tags('from'), to: tags('to') };
  } catch (cause) {
    return refuse(`${path} is not {"from": ["en"], "to": ["de"]}: ${messageOf(cause)}`);
  }
}

function refuse(message: string): never {
  throw new AppError('FAILED_PRECONDITION', message);
}
