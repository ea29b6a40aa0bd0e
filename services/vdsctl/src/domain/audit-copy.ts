/** What a copy of the audit tells of changes that a restored database may have forgotten. */
import { AppError } from '@vds/chassis/errors';

/** The fields of an entry that are read; as `vdsctl audit --json` prints it. */
export type CopiedEntry = {
  readonly at: string;
  readonly service: string;
  readonly action: string;
  readonly became: string;
  readonly key_id?: string;
  readonly publisher_id?: string;
  readonly video_id?: string;
};
export type AuditCopy = {
  readonly entries: readonly CopiedEntry[];
  /** There were older entries, which it does not have. */
  readonly more: boolean;
};
/** Changes that take something away, and that nobody would make again; each id once. */
export type Withdrawals = {
  /** Revoked, or replaced by a rotation. */
  readonly revokedKeys: readonly string[];
  /** Suspended at the end of the copy. */
  readonly suspendedPublishers: readonly string[];
  /** Deleted, by their partner or the operator, or with a delete queued. */
  readonly deletedVideos: readonly string[];
  /** Held at the end of the copy, and not deleted, with the last entry of each. */
  readonly heldVideos: ReadonlyMap<string, CopiedEntry>;
};

const revocations: ReadonlySet<string> = new Set(['key revoke', 'key rotate']);

/**
 * Parses the output of `vdsctl audit --json`.
 * @param file its name, for the message
 * @throws AppError INVALID_ARGUMENT
 */
export function parseAuditCopy(text: string, file: string): AuditCopy {
  try {
    const { entries, more } = JSON.parse(text) as Partial<AuditCopy>;
    if (Array.isArray(entries) && entries.every(isEntry)) return { entries, more: more === true };
  } catch {
    // The same message.
  }
  throw new AppError('INVALID_ARGUMENT', `${file} is not the output of 'vdsctl audit --json'`);
}

function isEntry(value: unknown): boolean {
  const entry = (value ?? {}) as Readonly<Record<string, unknown>>;
  return ['at', 'service', 'action', 'became'].every((name) => typeof entry[name] === 'string');
}

/** @param entries of any number of copies, which may overlap, in any order */
export function withdrawalsOf(entries: readonly CopiedEntry[]): Withdrawals {
  const revoked = entries.filter(({ service, action }) => service === 'auth' && revocations.has(action));
  const suspensions = new Map<string, boolean>();
  for (const { service, action, publisher_id: id } of entries.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)))
    if (service === 'auth' && id !== undefined && /^publisher (suspend|resume)$/.test(action))
      suspensions.set(id, action === 'publisher suspend');
  const ofVideos = entries.filter(({ service }) => service === 'catalog');
  const deleted = new Set(ofVideos.filter(isDeletion).flatMap(({ video_id: id }) => id ?? []));
  const last = new Map<string, CopiedEntry>();
  for (const entry of ofVideos.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)))
    if (entry.video_id !== undefined) last.set(entry.video_id, entry);
  const held = [...last].filter(([id, { became }]) => !deleted.has(id) && became.split(', ').includes('held'));
  return {
    revokedKeys: [...new Set(revoked.flatMap(({ key_id: id }) => id ?? []))],
    suspendedPublishers: [...suspensions].flatMap(([id, suspended]) => (suspended ? [id] : [])),
    deletedVideos: [...deleted],
    heldVideos: new Map(held),
  };
}

/** `became` as catalog describes a state. */
function isDeletion({ became }: CopiedEntry): boolean {
  return became === 'deleted' || became.split(', ').includes('delete queued');
}
