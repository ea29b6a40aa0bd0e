/** A cache of the newest results of work that several jobs request within minutes; evicts the oldest. */
import { createHash } from 'node:crypto';

type Entry = { readonly texts: readonly string[]; readonly characters: number };

/** @param mostCharacters in all cached results together */
export function createResultCache(mostCharacters: number) {
  const entries = new Map<string, Entry>();
  const running = new Map<string, Promise<readonly string[]>>();
  let characters = 0;
  const add = (key: string, texts: readonly string[]): void => {
    const size = texts.reduce((sum, text) => sum + text.length, 0);
    if (size > mostCharacters) return;
    entries.set(key, { texts, characters: size });
    characters += size;
    for (const [oldest, entry] of entries) {
      if (characters <= mostCharacters) return;
      entries.delete(oldest);
      characters -= entry.characters;
    }
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
      const cached = entries.get(key);
      if (cached) return cached.texts;
      const current = running.get(key);
      if (!current) break;
      await settled(current, signal);
      signal.throwIfAborted();
    }
    const own = work();
    running.set(key, own);
    try {
      const result = await own;
      add(key, result);
      return result;
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
