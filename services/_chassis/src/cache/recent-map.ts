/** A map that keeps what was used last: the bounded memory behind every cache here. */
export type RecentMap<V> = {
  readonly get: (key: string) => V | undefined;
  readonly set: (key: string, value: V) => void;
  readonly delete: (key: string) => void;
  readonly size: () => number;
};

/** @param limit entries at most; the one that was not used for longest goes first */
export function recentMap<V>(limit: number): RecentMap<V> {
  const entries = new Map<string, V>();
  const put = (key: string, value: V): void => {
    entries.delete(key);
    entries.set(key, value);
  };
  return {
    get: (key) => {
      const value = entries.get(key);
      if (value !== undefined) put(key, value);
      return value;
    },
    set: (key, value) => {
      put(key, value);
      const [oldest] = entries.keys();
      if (entries.size > limit && oldest !== undefined) entries.delete(oldest);
    },
    delete: (key) => void entries.delete(key),
    size: () => entries.size,
  };
}
