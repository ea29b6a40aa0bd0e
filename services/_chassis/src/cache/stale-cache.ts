/**
 * Caches the answers of a peer or a database about versioned entities: one load per key at a time, the last answer
 * while no new one can be loaded, and never an answer that is known to be outdated.
 */
import { LRUCache } from 'lru-cache';
import { singleFlight, withTimeout } from '../process/async.ts';

export type CachedAnswer<T> = {
  /** Undefined: the key does not exist. */
  readonly value: T | undefined;
  /** Age in milliseconds; more than 0 if the answer came out of a cache. */
  readonly ageMs: number;
};

type Outcome = 'cached' | 'loaded' | 'stale' | 'failed';

type Options<T> = {
  readonly load: (key: string) => Promise<CachedAnswer<T>>;
  /** The entity that an answer describes, and its version; an entity has one key. */
  readonly versionOf: (value: T) => { readonly id: string; readonly version: number };
  /** The least recently used entry is evicted first. */
  readonly maxEntries: number;
  /** How long an answer is returned without a load; 0: load every time. */
  readonly freshMs: number;
  /** How old an answer may be that is returned because no new one can be loaded. */
  readonly staleMs: number;
  /** How long a load may take when there is a stale answer to return instead. */
  readonly loadTimeoutMs: number;
  readonly onLookup: (outcome: Outcome) => void;
  /** Called with the reason why a stale answer was returned. */
  readonly onStale: (cause: unknown) => void;
};

type Entry<T> = {
  readonly value: T | undefined;
  /** When the answer was current, on the monotonic clock. */
  readonly asOf: number;
  /** The answer already came out of another cache. */
  readonly isOld: boolean;
};

type Store<T> = ReturnType<typeof openStore<T>>;

/** A key that does not exist may be created at any moment. */
const ABSENT_MS = 1_000;
/** How long stale answers are returned without a load after one has failed. */
const RETRY_AFTER_MS = 1_000;
const MAX_LOADS = 3;

export function openStaleCache<T>(options: Options<T>) {
  const { freshMs, staleMs, loadTimeoutMs, onLookup, onStale } = options;
  const store = openStore(options);
  const load = singleFlight((key) => loadLatest(store, options, key));
  let retryAt = 0;
  const deferLoads = (): void => void (retryAt = performance.now() + RETRY_AFTER_MS);
  const staleEntry = (key: string): Entry<T> | undefined => {
    const entry = store.get(key);
    return entry?.value !== undefined && ageOf(entry) < staleMs ? entry : undefined;
  };

  const lookUp = async (key: string): Promise<readonly [Outcome, CachedAnswer<T>]> => {
    const last = store.get(key);
    const maxAgeMs = last?.value === undefined ? Math.min(ABSENT_MS, freshMs) : freshMs;
    if (last && ageOf(last) < maxAgeMs) return ['cached', answerOf(last)];
    const fallback = staleEntry(key);
    if (fallback && performance.now() < retryAt) return ['stale', answerOf(fallback)];
    try {
      const loaded = await (fallback ? withTimeout(load(key), loadTimeoutMs) : load(key));
      if (!loaded.isOld) return ['loaded', { value: loaded.value, ageMs: 0 }];
      deferLoads();
      const youngest = staleEntry(key);
      if (!youngest) throw new Error('the cached answer is too old');
      return [youngest === loaded ? 'loaded' : 'stale', answerOf(youngest)];
    } catch (cause) {
      const entry = staleEntry(key);
      if (!entry) throw cause;
      onStale(cause);
      deferLoads();
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
    /** The entity has changed: answers older than `version` are removed, and rejected when they still arrive. */
    drop: store.drop,
  };
}

/**
 * Loads and stores; loads again if the entity changed meanwhile. A current answer below a version that was known before the
 * load began is the truth all the same: the source was restored to an earlier moment.
 */
async function loadLatest<T>(store: Store<T>, options: Options<T>, key: string, loads = 1): Promise<Entry<T>> {
  const startedAt = performance.now();
  const { value, ageMs } = await options.load(key);
  const entry = { value, asOf: startedAt - ageMs, isOld: ageMs > 0 };
  // Without a fresh period made-up keys would only evict known ones.
  if (value === undefined && options.freshMs === 0) store.delete(key);
  else store.set(key, entry);
  if (!store.isOutdated(entry)) return entry;
  if (!entry.isOld && !store.changedSince(entry, startedAt)) return store.replace(key, entry);
  if (loads < MAX_LOADS) return loadLatest(store, options, key, loads + 1);
  if (entry.isOld) throw new Error('the cached answer is older than the last change');
  return entry;
}

/**
 * Entries by key, guarded by the lowest acceptable version of each entity. Not `LRUCache.fetch`: a load in progress
 * takes up an entry there, so lookups of made-up keys would evict known ones.
 */
function openStore<T>({ maxEntries: max, versionOf }: Options<T>) {
  const entries = new LRUCache<string, Entry<T>>({ max });
  const keys = new LRUCache<string, string>({ max });
  const minVersions = new LRUCache<string, { readonly version: number; readonly knownAt: number }>({ max });
  const storedVersion = (id: string): number => {
    const value = entries.get(keys.get(id) ?? '')?.value;
    return value === undefined ? 0 : versionOf(value).version;
  };
  const isOutdated = ({ value }: Entry<T>): boolean => {
    if (value === undefined) return false;
    const { id, version } = versionOf(value);
    return version < Math.max(minVersions.get(id)?.version ?? 0, storedVersion(id));
  };
  const put = (key: string, entry: Entry<T>): void => {
    entries.set(key, entry);
    if (entry.value !== undefined) keys.set(versionOf(entry.value).id, key);
  };
  return {
    isOutdated,
    get: (key: string): Entry<T> | undefined => entries.get(key),
    /** Ignores an answer that is outdated or older than the stored one. */
    set: (key: string, entry: Entry<T>): void => {
      if (isOutdated(entry) || entry.asOf < (entries.get(key)?.asOf ?? -Infinity)) return;
      put(key, entry);
    },
    /** Whether a change of the entity was announced after this moment of the monotonic clock. */
    changedSince: ({ value }: Entry<T>, moment: number): boolean =>
      value !== undefined && (minVersions.get(versionOf(value).id)?.knownAt ?? -Infinity) >= moment,
    /** Stores an answer in place of a later version. */
    replace: (key: string, entry: Entry<T>): Entry<T> => {
      if (entry.value !== undefined) minVersions.delete(versionOf(entry.value).id);
      put(key, entry);
      return entry;
    },
    delete: (key: string): void => void entries.delete(key),
    drop: (id: string, version: number): void => {
      const known = minVersions.get(id);
      if (known === undefined || known.version < version) minVersions.set(id, { version, knownAt: performance.now() });
      const key = keys.get(id);
      if (key !== undefined && storedVersion(id) < version) entries.delete(key);
    },
  };
}

function ageOf({ asOf }: Entry<unknown>): number {
  return performance.now() - asOf;
}

function answerOf<T>(entry: Entry<T>): CachedAnswer<T> {
  return { value: entry.value, ageMs: ageOf(entry) };
}
