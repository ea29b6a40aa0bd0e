/** A transcript as captions leaves it in its bucket (`track.json`), read with care: it was made of what somebody said. */
import { readerOf } from './checked.ts';
import type { Span } from './span.ts';

export type Sentence = Span & { readonly text: string };
export type Transcript = { readonly language: string; readonly sentences: readonly Sentence[] };

const { fault, nodeAt, listAt, textAt, numberAt } = readerOf('track.json');
const mostSentences = 100_000;
const mostLetters = 2_000;

/**
 * Checks a parsed `track.json`; a transcript in which nothing is said has no sentences.
 * @throws INVALID_ARGUMENT that names the first field that is not as it should be
 */
export function readTranscript(value: unknown): Transcript {
  const root = nodeAt({ root: value }, 'root');
  if (root['version'] !== 1) throw fault('version');
  return {
    language: textAt(root, 'language', /^[A-Za-z]{2,8}(?:-[0-9A-Za-z]{1,8})*$/),
    sentences: listAt(root, 'sentences', mostSentences).map(readSentence),
  };
}

function readSentence(entry: unknown): Sentence {
  const node = nodeAt({ sentence: entry }, 'sentence');
  const [startMs, endMs] = [Math.round(numberAt(node, 'start_ms')), Math.round(numberAt(node, 'end_ms'))];
  const text = textAt(node, 'text', /^/)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .toWellFormed()
    .slice(0, mostLetters);
  if (endMs < startMs) throw fault('end_ms');
  return { startMs, endMs, text };
}
