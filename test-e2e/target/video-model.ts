/**
 * What a partner may see of one video, as a set of possibilities: processing ends by itself at a moment that the model
 * does not know, and every answer leaves only those that would have answered so (spec §3; design §4).
 */

export type Possible = 'processing' | 'archiving' | 'deleting' | 'ready' | 'archived' | 'failed' | 'deleted';
export type Deed = 'read' | 'archive' | 'republish' | 'delete';
/** HTTP status, then the body's `status` or its `error.code`. */
export type Reply = string;

type Row = Readonly<Record<Possible, readonly [reply: Reply, next: Possible]>>;

const gone = '404 not_found';
const table: Readonly<Record<Deed, Row>> = {
  read: {
    processing: ['200 processing', 'processing'],
    archiving: ['200 processing', 'archiving'],
    deleting: ['200 processing', 'deleting'],
    ready: ['200 ready', 'ready'],
    archived: ['200 archived', 'archived'],
    failed: ['200 failed', 'failed'],
    deleted: ['200 deleted', 'deleted'],
  },
  archive: {
    processing: ['202 archive_queued', 'archiving'],
    archiving: ['202 archive_queued', 'archiving'],
    deleting: [gone, 'deleting'],
    ready: ['200 archived', 'archived'],
    archived: ['200 archived', 'archived'],
    failed: ['400 invalid_input', 'failed'],
    deleted: [gone, 'deleted'],
  },
  republish: {
    processing: ['202 processing', 'processing'],
    archiving: ['202 processing', 'processing'],
    deleting: [gone, 'deleting'],
    ready: ['200 public', 'ready'],
    archived: ['200 public', 'ready'],
    failed: ['400 invalid_input', 'failed'],
    deleted: [gone, 'deleted'],
  },
  delete: {
    processing: ['202 processing', 'deleting'],
    archiving: ['202 processing', 'deleting'],
    deleting: ['202 processing', 'deleting'],
    ready: ['200 deleted', 'deleted'],
    archived: ['200 deleted', 'deleted'],
    failed: ['200 deleted', 'deleted'],
    deleted: ['200 deleted', 'deleted'],
  },
};

/** What happens without any request. */
const silent: Partial<Record<Possible, readonly Possible[]>> = {
  processing: ['ready', 'failed'],
  archiving: ['archived', 'failed'],
  deleting: ['deleted'],
};

/** The replies that are possible. */
export function expected(before: readonly Possible[], deed: Deed): readonly Reply[] {
  return choices(before, deed).map(([reply]) => reply);
}

/** Every reply that is possible now, with what the video then is. */
function choices(before: readonly Possible[], deed: Deed): (readonly [Reply, Possible])[] {
  return [
    ...new Map(
      before.flatMap((one) => [one, ...(silent[one] ?? [])]).map((one) => [one, table[deed][one]] as const),
    ).values(),
  ];
}

/** What the video may be after a reply; empty where no such video replies so. */
export function afterReply(before: readonly Possible[], deed: Deed, reply: Reply): readonly Possible[] {
  return [
    ...new Set(
      choices(before, deed)
        .filter(([possible]) => possible === reply)
        .map(([, next]) => next),
    ),
  ];
}
