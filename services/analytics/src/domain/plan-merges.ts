/** Which files are merged into one: an hour's batches while a day is open, all of a day once it is over. */
import { dayOf, readKey, type FileOf } from './object-keys.ts';

export type StoredFile = { readonly key: string; readonly bytes: number; readonly storedAt: Date };
export type Merge = FileOf & { readonly keys: readonly string[] };

const HOUR_MS = 3_600_000;
/** A file of a day is at most about this large. */
export const MAX_FILE_BYTES = 128 * 1024 * 1024;
/** So many batches are merged before their hour is over. */
const MAX_BATCHES = 120;

/**
 * @param files of one day of one organization, without those that a merge has replaced already
 * @returns merges of two files or more, each at most `MAX_FILE_BYTES` of input
 */
export function planMerges(files: readonly StoredFile[], now: Date): Merge[] {
  const [first] = files;
  const file = first && readKey(first.key);
  if (!file) return [];
  // Batches of the last minutes of a day are stored in the first of the next.
  const isOver = file.day < dayOf(new Date(now.getTime() - HOUR_MS));
  const batches = files.filter(({ key }) => readKey(key)?.isMerged === false);
  const isDue =
    batches.length >= MAX_BATCHES || batches.some(({ storedAt }) => now.getTime() - storedAt.getTime() > HOUR_MS);
  const chosen = isOver ? files : isDue ? batches : [];
  const { organizationId, day } = file;
  return groupsOf(chosen)
    .filter((group) => group.length > 1)
    .map((group) => ({ organizationId, day, keys: group.map(({ key }) => key) }));
}

/** Consecutive files, together of at most one file's size; one that is large enough stays alone. */
function groupsOf(files: readonly StoredFile[]): StoredFile[][] {
  const groups: StoredFile[][] = [];
  let bytes = Infinity;
  for (const file of files.toSorted((one, other) => one.storedAt.getTime() - other.storedAt.getTime())) {
    if (bytes + file.bytes > MAX_FILE_BYTES) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(file);
    bytes += file.bytes;
  }
  return groups;
}
