/**
 * Keys of the files of events: `organization=<id>/day=<day of receipt>/…`, which engines read as columns. An event that
 * comes late never opens a closed day again.
 */

export type Days = { readonly from: string; readonly to: string };
export type FileOf = { readonly organizationId: string; readonly day: string };

/** UTC, `2026-11-26`. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

export function organizationPrefix(organizationId: string): string {
  return `organization=${organizationId}/`;
}

/** What the organization's videos are called; no engine takes it for events. */
export function videosKey(organizationId: string): string {
  return `${organizationPrefix(organizationId)}videos/videos.parquet`;
}

/** What is left of a day's events once they are not kept any more. */
export function playsKey({ organizationId, day }: FileOf): string {
  return `${organizationPrefix(organizationId)}plays/${day}.parquet`;
}

/** Without any row: some engines read no folder without a file. */
export function noPlaysKey(organizationId: string): string {
  return `${organizationPrefix(organizationId)}plays/none.parquet`;
}

/** Undefined for a key of another kind. */
export function readPlaysKey(key: string): FileOf | undefined {
  const [, organizationId, day] =
    /^organization=(org_[0-9A-Za-z]+)\/plays\/(\d{4}-\d{2}-\d{2})\.parquet$/.exec(key) ?? [];
  return organizationId === undefined || day === undefined ? undefined : { organizationId, day };
}

/** Whether a day is among these; '' is no bound. */
export function isAmong(day: string, { from, to }: Days): boolean {
  return day >= from && (to === '' || day <= to);
}

export function dayPrefix({ organizationId, day }: FileOf): string {
  return `${organizationPrefix(organizationId)}day=${day}/`;
}

/**
 * @param digest of the file's content: two files have one key only where they are the same, so none replaces another
 */
export function fileKey(file: FileOf, kind: 'batch' | 'merged', digest: string): string {
  return `${dayPrefix(file)}${kind}-${digest}.parquet`;
}

/** Undefined for a key of another kind. */
export function readKey(key: string): (FileOf & { readonly isMerged: boolean }) | undefined {
  const [, organizationId, day, kind] =
    /^organization=(org_[0-9A-Za-z]+)\/day=(\d{4}-\d{2}-\d{2})\/(batch|merged)-[0-9a-f-]+\.parquet$/.exec(key) ?? [];
  if (organizationId === undefined || day === undefined) return undefined;
  return { organizationId, day, isMerged: kind === 'merged' };
}
