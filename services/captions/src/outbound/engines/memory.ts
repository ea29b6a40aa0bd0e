/** A cache of the newest results of work that several jobs request within minutes; evicts the oldest. */
import { createHash } from 'node:crypto';

type Kept = { readonly texts: readonly string[]; readonly characters: number };

/** @param mostCharacters that are kept, in all results together */
export function createMemory(mostCharacters: number) {
  const kept = new Map<string, Kept>();
  let characters = 0;
  const forgetOldest = (): void => {
    const [oldest] = kept;
    if (!oldest) return;
    kept.delete(oldest[0]);
    characters -= oldest[1].characters;
  };
  const running = new Map<string, Promise<readonly string[]>>();
  const keep = (key: string, texts: readonly string[]): void => {
    const size = texts.reduce((sum, text) => sum + text.length, 0);
    if (size > mostCharacters) return;
    kept.set(key, { texts, characters: size });
    characters += size;
    while (characters > mostCharacters) forgetOldest();
  };
  /**
   * The result of `work` for these texts under this name: new, cached, or shared with a concurrent caller. Failures are
   * not cached: callers that waited for one do the work themselves.
   */
  return async (
    name: string,
    texts: readonly string[],
    signal: AbortSignal,
    work: () => Promise<readonly string[]>,
  ): Promise<readonly string[]> => {
    const key = keyOf(name, texts);
    for (;;) {
      const known = kept.get(key);
      if (known) return known.texts;
      const others = running.get(key);
      if (!others) break;
      await settled(others, signal);
      signal.throwIfAborted();
    }
    const own = work();
    running.set(key, own);
    try {
      const made = await own;
      keep(key, made);
      return made;
    } finally {
      running.delete(key);
    }
  };
}

function keyOf(name: string, texts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([name, texts]))
    .digest('base64');
}

/** Resolves when the work has ended in any way, or the caller no longer waits for it. */
function settled(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = (): void => resolve();
  signal.addEventListener('abort', done, { once: true });
  work.then(done, done);
  return promise.finally(() => signal.removeEventListener('abort', done));
}
