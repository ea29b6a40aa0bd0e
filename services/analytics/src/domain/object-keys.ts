/**
 * Keys of the files of events: `organization=<id>/day=<day of receipt>/…`, which engines read as columns. An event that
 * comes late never opens a closed day again.
 */
const DIGITS = 16;

export type FileOf = { readonly organizationId: string; readonly day: string };

/** UTC, `2026-11-26`. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

export function organizationPrefix(organizationId: string): string {
  return `organization=${organizationId}/`;
}

export function dayPrefix({ organizationId, day }: FileOf): string {
  return `${organizationPrefix(organizationId)}day=${day}/`;
}

/** A batch: the same batch again has the same key, also after the stream was created again. */
export function batchKey(
  file: FileOf,
  batch: { readonly streamCreatedMs: number; readonly first: number; readonly last: number },
): string {
  const [first, last] = [batch.first, batch.last].map((sequence) => String(sequence).padStart(DIGITS, '0'));
  return `${dayPrefix(file)}batch-${batch.streamCreatedMs}-${first}-${last}.parquet`;
}

/** @param digest of the keys that it replaces: the same merge again has the same key */
export function mergedKey(file: FileOf, digest: string): string {
  return `${dayPrefix(file)}merged-${digest}.parquet`;
}

/** Undefined for a key of another kind. */
export function readKey(key: string): (FileOf & { readonly isMerged: boolean }) | undefined {
  const [, organizationId, day, kind] =
    /^organization=(org_[0-9A-Za-z]+)\/day=(\d{4}-\d{2}-\d{2})\/(batch|merged)-[0-9a-f-]+\.parquet$/.exec(key) ?? [];
  if (organizationId === undefined || day === undefined) return undefined;
  return { organizationId, day, isMerged: kind === 'merged' };
}
