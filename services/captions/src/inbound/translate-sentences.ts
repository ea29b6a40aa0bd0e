/** Sentences through the engine: names as tokens that it has no word for, and what it lost put back. */
import { AppError } from '@vds/chassis/errors';
import { protect, repaired, type Languages } from '../domain/translation/protect-entities.ts';

export type Translated = {
  /** One a sentence, in order. */
  readonly texts: readonly string[];
  /** Names and numbers that were lost on the way; numbers were put back. */
  readonly lost: number;
};

/**
 * @param translate gives as many texts as it got, in their order
 * @throws AppError FAILED_PRECONDITION with reason `engine_error` where nothing comes back of any sentence
 */
export async function translateSentences(
  sentences: readonly string[],
  languages: Languages,
  translate: (texts: readonly string[]) => Promise<readonly string[]>,
): Promise<Translated> {
  const guarded = sentences.map((sentence) => protect(sentence, languages));
  const answers = await translate(guarded.map(({ text }) => text));
  const restored = guarded.map(({ restore }, index) => restore(answers[index] ?? ''));
  // A name that did not come back as its token: the plain sentence, then, names and all.
  const again = restored.flatMap((text, index) => (text === undefined ? [index] : []));
  const plain = again.length > 0 ? await translate(again.map((index) => sentences[index] ?? '')) : [];
  const whole = restored.map((text, index) => text ?? plain[again.indexOf(index)] ?? '');
  const kept = whole.map((text, index) => repaired(sentences[index] ?? '', text, languages));
  if (sentences.length > 0 && kept.every(({ text }) => text === ''))
    throw new AppError('FAILED_PRECONDITION', 'no sentence came back', { reason: 'engine_error' });
  return {
    texts: kept.map(({ text }) => text),
    lost: kept.reduce((sum, { problems }) => sum + problems.length, 0),
  };
}
