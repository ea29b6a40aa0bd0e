/** The newest results of work that many ask for within minutes, by what was asked; the oldest make room. */
import { createHash } from 'node:crypto';

type Kept = { readonly texts: readonly string[]; readonly characters: number };

const keyOf = (name: string, texts: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([name, texts]))
    .digest('base64');

/** @param mostCharacters that are kept, in all results together */
export const createMemory = (mostCharacters: number) => {
  const kept = new Map<string, Kept>();
  let characters = 0;
  const forgetOldest = (): void => {
    const [oldest] = kept;
    if (!oldest) return;
    kept.delete(oldest[0]);
    characters -= oldest[1].characters;
  };
  /** What `work` made of these texts under this name before, or makes now. Failures are not kept. */
  return async (
    name: string,
    texts: readonly string[],
    work: () => Promise<readonly string[]>,
  ): Promise<readonly string[]> => {
    const key = keyOf(name, texts);
    const known = kept.get(key);
    if (known) return known.texts;
    const made = await work();
    const size = made.reduce((sum, text) => sum + text.length, 0);
    if (!kept.has(key) && size <= mostCharacters) {
      kept.set(key, { texts: made, characters: size });
      characters += size;
      while (characters > mostCharacters) forgetOldest();
    }
    return made;
  };
};
