/**
 * Keeps what is being watched playable while a peer is unavailable: its last answers about versioned entities, one load
 * per key at a time, and never a known outdated answer.
 */
import { LRUCache } from 'lru-cache';
import { singleFlight, withTimeout } from '../async.ts';

export type CachedAnswer<T> = {
  /** Undefined: the key does not exist. */
  readonly value: T | undefined;
  /** Age in milliseconds; above 0 if the answer came from the cache. */
  readonly ageMs: number;
};

type Outcome = 'cached' | 'loaded' | 'stale' | 'failed';

type Options<T> = {
  /** Undefined: the key does not exist. */
  readonly load: (key: string) => Promise<T | undefined>;
  /** The entity that an answer describes, and its version; an entity has one key, and its own id may be another. */
  readonly versionOf: (value: T) => { readonly id: string; readonly version: number };
  /** The least recently used entry is evicted first. */
  readonly maxEntries: number;
  /** How long an answer is returned without a load. */
  readonly freshMs: number;
  /** Maximum age of an answer returned because no new one can be loaded. */
  readonly staleMs: number;
  /** How long a load may take when there is a stale answer to fall back on. */
  readonly loadTimeoutMs: number;
  readonly onLookup: (outcome: Outcome) => void;
  /** Called with the reason why a stale answer was returned. */
  readonly onStale: (cause: unknown) => void;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
};

type Entry<T> = { readonly value: T | undefined; /** When it was current. */ readonly asOf: number };

/** Keys that do not exist have a map of their own: lookups of made-up keys must not evict what is being watched. */
const MAX_ABSENT = 2_000;
/** A key that does not exist may be created at any moment. */
const ABSENT_MS = 1_000;
/** How long stale answers are returned without a load after one has failed. */
const RETRY_AFTER_MS = 1_000;
/** Loads of one lookup while changes keep arriving. */
const MAX_LOADS = 3;

export function openStaleCache<T>(options: Options<T>) {
  const { freshMs, staleMs, loadTimeoutMs, onLookup, onStale, now = () => performance.now() } = options;
  const entries = openEntries(options, now);
  let retryAt = -Infinity;
  // Not `LRUCache.fetch`: a load in progress takes up an entry there, so lookups of made-up keys would evict known ones.
  const load = singleFlight(async (key): Promise<Entry<T>> => {
    for (let loads = 1; ; loads += 1) {
      const asOf = now();
      const entry = { value: await options.load(key), asOf };
      if (entries.put(key, entry) || loads === MAX_LOADS) return entry;
    }
  });
  const answerOf = ({ value, asOf }: Entry<T>): CachedAnswer<T> => ({ value, ageMs: now() - asOf });
  const lookUp = async (key: string): Promise<readonly [Outcome, CachedAnswer<T>]> => {
    const last = entries.get(key);
    const ageMs = last ? now() - last.asOf : Infinity;
    if (last && ageMs < (last.value === undefined ? ABSENT_MS : freshMs)) return ['cached', answerOf(last)];
    const isUsable = last?.value !== undefined && ageMs < staleMs;
    if (isUsable && now() < retryAt) return ['stale', answerOf(last)];
    try {
      const { value } = await (isUsable ? withTimeout(load(key), loadTimeoutMs) : load(key));
      return ['loaded', { value, ageMs: 0 }];
    } catch (cause) {
      // It may have been dropped in the meantime.
      const entry = entries.get(key);
      if (!isUsable || entry?.value === undefined) throw cause;
      onStale(cause);
      retryAt = now() + RETRY_AFTER_MS;
      return ['stale', answerOf(entry)];
    }
  };

  return {
    /** @throws the error of `load`, if there is no last answer or it is too old */
    find: async (key: string): Promise<CachedAnswer<T>> => {
      try {
        const [outcome, answer] = await lookUp(key);
        onLookup(outcome);
        return answer;
      } catch (cause) {
        onLookup('failed');
        throw cause;
      }
    },
    /** Whether there is an answer about the key, of whatever age. */
    has: (key: string): boolean => entries.get(key) !== undefined,
    /** The entity has changed: answers older than `version` are removed, and dropped if they still arrive. */
    drop: entries.drop,
  };
}

/** Entries by key, and the announced changes of their entities. */
function openEntries<T>({ maxEntries: max, versionOf }: Options<T>, now: () => number) {
  const entries = new LRUCache<string, Entry<T>>({ max });
  const absent = new LRUCache<string, Entry<T>>({ max: MAX_ABSENT });
  const keys = new LRUCache<string, string>({ max });
  const changes = new LRUCache<string, { readonly version: number; readonly at: number }>({ max });
  return {
    get: (key: string): Entry<T> | undefined => entries.get(key) ?? absent.get(key),
    /** Keeps the answer; false where a change was announced while it was loaded. */
    put: (key: string, entry: Entry<T>): boolean => {
      if (entry.value === undefined) {
        entries.delete(key);
        absent.set(key, entry);
      } else {
        const { id, version } = versionOf(entry.value);
        const change = changes.get(id);
        if (change && version < change.version && change.at >= entry.asOf) return false;
        if (key !== id) keys.set(id, key);
        entries.set(key, entry);
      }
      return true;
    },
    drop: (id: string, version: number): void => {
      changes.set(id, { version, at: now() });
      for (const key of [id, keys.get(id) ?? id]) {
        const value = entries.get(key)?.value;
        if (value !== undefined && versionOf(value).version < version) entries.delete(key);
      }
    },
  };
}
