/** Translates sentences: names are sent as tokens that the engine has no word for, and lost numbers are restored. */
import { AppError } from '@vds/chassis/errors';
import { protect, repaired, type Languages } from '../domain/translation/protect-entities.ts';

export type Translated = {
  /** One per sentence, in order. */
  readonly texts: readonly string[];
  /** Names and numbers that translation lost; numbers were restored. */
  readonly lost: number;
};

/**
 * @param translate returns as many texts as it was given, in their order
 * @throws AppError FAILED_PRECONDITION with reason `engine_error` where every translation is empty
 */
export async function translateSentences(
  sentences: readonly string[],
  languages: Languages,
  translate: (texts: readonly string[]) => Promise<readonly string[]>,
): Promise<Translated> {
  const guarded = sentences.map((sentence) => protect(sentence, languages));
  const answers = await translate(guarded.map(({ text }) => text));
  const restored = guarded.map(({ restore }, index) => restore(answers[index] ?? ''));
  // Sentences whose tokens were lost are translated again as they are, names included.
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
