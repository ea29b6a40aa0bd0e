/** `vdsctl audit`: what was changed, by whom and why, in auth and in catalog, as one list by time. */
import { InvalidArgumentError, type Command } from 'commander';
import { AppError } from '@vds/chassis/errors';
import { keyId } from './keys.ts';
import { table } from './output.ts';
import type { Session } from './session.ts';
import { act, bare, collectPages, withLimit, type Answer, type Surroundings } from './verb.ts';

type Asked = {
  readonly publisher?: string;
  readonly key?: string;
  readonly video?: string;
  readonly actor?: string;
  readonly since?: string;
  readonly limit: number;
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
type Found = { readonly rows: readonly Entry[]; readonly more: boolean };

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const NOTHING: Found = { rows: [], more: false };

/** Adds the verb to the program. */
export function addAuditVerb(program: Command, surroundings: Surroundings): void {
  withLimit(program.command('audit'))
    .description('who changed what and why, oldest first; of many the newest')
    .option('--publisher <id>', 'only of this publisher, its keys and its videos')
    .option('--key <id>', 'only of this key')
    .option('--video <id>', 'only of this video')
    .option('--actor <name>', 'only by this person; catalog and partner are names too')
    .option('--since <time>', 'only from this time on, such as 2026-01-31T12:00:00Z, 2h or 7d', moment)
    .action(act<Asked>(surroundings, audit));
}

/** A time as in RFC 3339 of `2026-01-31`, `2026-01-31T12:00:00Z`, or of a span before now such as `2h`. */
export function moment(given: string): string {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/.exec(given) ?? [];
  const at =
    amount === undefined
      ? Date.parse(/^\d{4}-\d\d-\d\d(T.+)?$/.test(given) ? given : '')
      : Date.now() - Number(amount) * (UNITS[unit] ?? 0);
  const time = new Date(at);
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('It must be a time such as 2026-01-31T12:00:00Z, or a span such as 30m, 2h or 7d.');
  return time.toISOString();
}

/** The newest rows of both, oldest of them first. */
async function audit(session: Session, asked: Asked): Promise<Answer> {
  const { key, video, limit } = asked;
  if (key !== undefined && video !== undefined)
    throw new AppError('INVALID_ARGUMENT', 'give --key or --video, not both: nothing is about a key and a video');
  const found = await Promise.all([
    video === undefined ? ofAuth(session, asked) : NOTHING,
    key === undefined ? ofCatalog(session, asked) : NOTHING,
  ]);
  const newest = found.flatMap(({ rows }) => rows).toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const entries = newest.slice(0, limit).toReversed();
  const more = newest.length > limit || found.some((one) => one.more);
  const lines = entries.map((entry) => [
    entry.at,
    entry.actor,
    entry.action,
    whatOf(entry),
    entry.was || '–',
    entry.became,
    entry.reason,
  ]);
  const text = table(['at', 'who', 'what', 'of', 'from', 'to', 'why'], lines, 'Nothing of the kind is in the audit.');
  return { json: { entries, more }, text: more ? `There are older ones: ask with a larger --limit.\n\n${text}` : text };
}

function ofAuth(session: Session, { publisher = '', key = '', actor = '', since = '', limit }: Asked): Promise<Found> {
  return collectPages(limit, async (page) => {
    const asked = { publisherId: publisher, keyId: keyId(key), actor, since, ...page };
    const { entries, nextCursor } = await session.keys().ListAudit(asked);
    return { rows: entries.map((entry) => ({ service: 'auth' as const, ...entry })), nextCursor };
  });
}

function ofCatalog(session: Session, { publisher = '', video = '', actor = '', since = '', limit }: Asked) {
  return collectPages(limit, async (page): Promise<{ rows: Entry[]; nextCursor: string }> => {
    const asked = { publisherId: publisher, videoId: bare(video), actor, since, ...page };
    const { entries, nextCursor } = await session.videos().ListAudit(asked);
    return { rows: entries.map((entry) => ({ service: 'catalog' as const, ...entry })), nextCursor };
  });
}

function whatOf({ videoId, keyId: key, newKeyId, publisherId }: Entry): string {
  if (newKeyId !== undefined) return `${key} → ${newKeyId}`;
  return videoId ?? key ?? publisherId ?? '–';
}
