/** Answers by key, and from which version on what is said of a thing may be believed. */
import { recentMap } from './recent-map.ts';

export type Version = { readonly id: string; readonly version: number };

export type Entry<T> = {
  /** Undefined: nobody knows the key. */
  readonly value: T | undefined;
  /** From when it is, on the monotonic clock in milliseconds. */
  readonly since: number;
  /** It was an old answer already when it came. */
  readonly isOld: boolean;
};

/**
 * @param limit keys at most; the one that was not asked for longest is forgotten first
 * @param versionOf what an answer is about; a thing has one key
 */
export function openEntryStore<T>(limit: number, versionOf: (value: T) => Version) {
  const answers = recentMap<Entry<T>>(limit);
  const keys = recentMap<string>(limit);
  const floors = recentMap<number>(limit);

  const held = (id: string): Entry<T> | undefined => {
    const key = keys.get(id);
    return key === undefined ? undefined : answers.get(key);
  };
  const heldVersion = (id: string): number => {
    const value = held(id)?.value;
    return value === undefined ? 0 : versionOf(value).version;
  };
  const isOutdated = ({ value }: Entry<T>): boolean => {
    if (value === undefined) return false;
    const { id, version } = versionOf(value);
    return version < Math.max(floors.get(id) ?? 0, heldVersion(id));
  };
  return {
    /** Whether a later version is known of than the one that this answer tells of. */
    isOutdated,
    last: (key: string): Entry<T> | undefined => answers.get(key),
    /** Keeps an answer, unless its thing has changed since it was given, or a younger one is kept already. */
    keep: (key: string, answer: Entry<T>): void => {
      if (isOutdated(answer) || answer.since < (answers.get(key)?.since ?? -Infinity)) return;
      answers.set(key, answer);
      if (answer.value !== undefined) keys.set(versionOf(answer.value).id, key);
    },
    forget: answers.delete,
    /** What is older than `version` is forgotten, and not kept when it still arrives. */
    drop: (id: string, version: number): void => {
      floors.set(id, Math.max(version, floors.get(id) ?? 0));
      const key = keys.get(id);
      if (key !== undefined && heldVersion(id) < version) answers.delete(key);
    },
  };
}
