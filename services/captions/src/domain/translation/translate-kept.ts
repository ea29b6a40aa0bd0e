/** Translating the sentences of a track so that names and numbers arrive, with whatever engine. */
import { AppError } from '@vds/shared/errors';
import { protect, repaired, type Kept, type Languages } from './keep-facts.ts';

/** As many texts as were given, in their order. */
export type TranslateTexts = (texts: readonly string[]) => Promise<readonly string[]>;

const checked = async (translate: TranslateTexts, texts: readonly string[]): Promise<readonly string[]> => {
  const translated = texts.length === 0 ? [] : await translate(texts);
  if (translated.length === texts.length) return translated;
  throw new AppError('UNAVAILABLE', `${translated.length} translations of ${texts.length} sentences came back`);
};

/**
 * One call for all sentences with their names protected, and a second one for those in which the engine lost a name:
 * these go as they are. Then every number that is missing is put back.
 * @returns a text for each sentence, with what the engine had lost of it
 */
export const translateKept = async (
  sentences: readonly string[],
  languages: Languages,
  translate: TranslateTexts,
): Promise<Kept[]> => {
  const guarded = sentences.map((sentence) => protect(sentence, languages));
  const first = await checked(
    translate,
    guarded.map(({ text }) => text),
  );
  const restored = guarded.map(({ restore }, index) => restore(first[index] ?? ''));
  const again = await checked(
    translate,
    sentences.filter((_sentence, index) => restored[index] === undefined),
  );
  let next = 0;
  return sentences.map((sentence, index) => repaired(sentence, restored[index] ?? again[next++] ?? '', languages));
};
