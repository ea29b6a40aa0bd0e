/** `vdsctl audit`: the changes recorded by auth and catalog, merged by time. */
import type { Command } from 'commander';
import { AppError } from '@vds/chassis/errors';
import { bareVideoId, keyId } from '../domain/ids.ts';
import { tableWithNotes } from './output.ts';
import type { AdminClients } from '../outbound/admin-clients.ts';
import { parseSince } from './since.ts';
import { withClients, collectPages, withLimit, type Output, type CliIo } from './verb.ts';

type Filter = {
  readonly publisher?: string;
  readonly key?: string;
  readonly video?: string;
  readonly actor?: string;
  readonly since?: string;
  readonly limit: number;
  readonly all?: true;
};
type Entry = {
  readonly at: string;
  readonly service: 'auth' | 'catalog';
  readonly actor: string;
  readonly action: string;
  readonly publisherId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly newKeyId?: string | undefined;
  readonly videoId?: string | undefined;
  readonly was: string;
  readonly became: string;
  readonly reason: string;
};
type Entries = { readonly rows: readonly Entry[]; readonly more: boolean };

const NONE: Entries = { rows: [], more: false };

/** Adds the verb to the program. */
export function addAuditVerb(program: Command, io: CliIo): void {
  withLimit(program.command('audit'))
    .description('who changed what and why: the newest entries, oldest first')
    .option('--all', 'every entry, whatever --limit says: for copies that are kept outside of the databases')
    .option('--publisher <id>', 'only of this publisher, its keys and its videos')
    .option('--key <id>', 'only of this key')
    .option('--video <id>', 'only of this video')
    .option('--actor <name>', 'only by this actor; catalog and partner are actors too')
    .option('--since <time>', 'only from this time on, such as 2026-01-31T12:00:00Z, 2h or 7d', parseSince)
    .action(withClients<Filter>(io, listAudit));
}

async function listAudit(clients: AdminClients, options: Filter): Promise<Output> {
  const filter = options.all ? { ...options, limit: Infinity } : options;
  const { key, video, publisher, limit } = filter;
  // An unknown publisher is an error, not an empty list.
  if (publisher !== undefined) await clients.keys().GetPublisher({ publisherId: publisher });
  if (key !== undefined && video !== undefined)
    throw new AppError('INVALID_ARGUMENT', 'give --key or --video, not both: no entry concerns a key and a video');
  const results = await Promise.all([
    video === undefined ? authEntries(clients, filter) : NONE,
    key === undefined ? catalogEntries(clients, filter) : NONE,
  ]);
  const newest = results.flatMap(({ rows }) => rows).toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const entries = newest.slice(0, limit).toReversed();
  const more = newest.length > limit || results.some(({ more: older }) => older);
  const lines = entries.map((entry) => ({
    cells: [entry.at, entry.actor, entry.action, subjectOf(entry)],
    note: [`${entry.was || '–'} → ${entry.became}`, ...(entry.reason === '' ? [] : [entry.reason])].join(': '),
  }));
  const text = tableWithNotes(['at', 'who', 'what', 'of'], lines, 'No audit entries match.');
  return { json: { entries, more }, text: more ? `There are older entries: use a larger --limit.\n\n${text}` : text };
}

function authEntries(
  clients: AdminClients,
  { publisher = '', key = '', actor = '', since = '', limit }: Filter,
): Promise<Entries> {
  return collectPages(limit, async (page) => {
    const request = { publisherId: publisher, keyId: keyId(key), actor, since, ...page };
    const { entries, nextCursor } = await clients.keys().ListAudit(request);
    return { rows: entries.map((entry) => ({ service: 'auth' as const, ...entry })), nextCursor };
  });
}

function catalogEntries(clients: AdminClients, { publisher = '', video = '', actor = '', since = '', limit }: Filter) {
  return collectPages(limit, async (page): Promise<{ rows: Entry[]; nextCursor: string }> => {
    const request = { publisherId: publisher, videoId: bareVideoId(video), actor, since, ...page };
    const { entries, nextCursor } = await clients.videos().ListAudit(request);
    return { rows: entries.map((entry) => ({ service: 'catalog' as const, ...entry })), nextCursor };
  });
}

function subjectOf({ videoId, keyId: key, newKeyId, publisherId }: Entry): string {
  if (newKeyId !== undefined) return `${key} → ${newKeyId}`;
  return videoId ?? key ?? publisherId ?? '–';
}
