/** The texts of a video that get vectors: what the partner says of it, and what is said in it, minute by minute. */
import type { Description, Sentence } from './model.ts';

export type Passage = {
  /** Where its first sentence begins; undefined: title, tags and summary. */
  readonly atMs?: number;
  readonly text: string;
};

const MAX_PASSAGES = 64;
const MINUTE_MS = 60_000;

/**
 * At most 64 passages in their order. Speech is cut between sentences, where a minute of it has passed; longer where the
 * video would have too many minutes.
 */
export function passagesOf(
  { title, tags, summary }: Pick<Description, 'title' | 'tags' | 'summary'>,
  sentences: readonly Sentence[],
): Passage[] {
  const about = [title, tags.join(', '), summary ?? ''].filter((text) => text.trim() !== '').join('. ');
  return [{ text: about }, ...spokenPassages(sentences, MAX_PASSAGES - 1)];
}

function spokenPassages(sentences: readonly Sentence[], most: number): Passage[] {
  const first = sentences[0]?.startMs ?? 0;
  const windowMs = Math.max(MINUTE_MS, ((sentences.at(-1)?.startMs ?? 0) - first + 1) / most);
  const texts = new Map<number, { readonly atMs: number; readonly texts: string[] }>();
  for (const { startMs, text } of sentences) {
    const window = Math.floor((startMs - first) / windowMs);
    const passage = texts.get(window) ?? { atMs: startMs, texts: [] };
    passage.texts.push(text);
    texts.set(window, passage);
  }
  return [...texts.values()].map((passage) => ({ atMs: passage.atMs, text: passage.texts.join(' ') }));
}
