/** Answers by key, and from which version on what is said of a thing may be believed. */
import { recentMap } from './recent-map.ts';

export type Version = { readonly id: string; readonly version: number };

export type Kept<T> = {
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
export const openAnswerStore = <T>(limit: number, versionOf: (value: T) => Version) => {
  const answers = recentMap<Kept<T>>(limit);
  const keys = recentMap<string>(limit);
  const floors = recentMap<number>(limit);

  const isOutdated = ({ value }: Kept<T>): boolean => {
    if (value === undefined) return false;
    const { id, version } = versionOf(value);
    return version < (floors.get(id) ?? 0);
  };
  return {
    isOutdated,
    last: (key: string): Kept<T> | undefined => answers.get(key),
    /** Keeps an answer, unless its thing has changed since it was given. */
    keep: (key: string, answer: Kept<T>): void => {
      if (isOutdated(answer)) return;
      answers.set(key, answer);
      if (answer.value !== undefined) keys.set(versionOf(answer.value).id, key);
    },
    forget: answers.delete,
    /** What is older than `version` is forgotten, and not kept when it still arrives. */
    drop: (id: string, version: number): void => {
      floors.set(id, Math.max(version, floors.get(id) ?? 0));
      const key = keys.get(id);
      const answer = key === undefined ? undefined : answers.get(key);
      if (key !== undefined && answer && isOutdated(answer)) answers.delete(key);
    },
  };
};
