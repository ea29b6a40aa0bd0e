/**
 * `vdsctl reapply`: after databases were restored to an earlier moment, makes again what they have forgotten and
 * what must not come back: suspended publishers, revoked keys, deleted videos, held videos. What they still know is not touched.
 */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { AppError } from '@vds/chassis/errors';
import { parseAuditCopy, withdrawalsOf, type CopiedEntry } from '../domain/audit-copy.ts';
import type { AdminClients } from '../outbound/admin-clients.ts';
import { table } from './output.ts';
import {
  auditFields,
  collectPages,
  withAuditOptions,
  withClients,
  type CliIo,
  type Output,
  type WriteOptions,
} from './verb.ts';
import { stateOf } from './videos.ts';

type By = { readonly actor: string; readonly reason: string };
/**
 * - `done`: it was forgotten, and is made again
 * - `known`: the database knows it
 * - `absent`: the database does not know the key or the video at all, so that nothing is to be withdrawn
 * - `rejected`: the service does not permit it in this state
 */
type Outcome = 'done' | 'known' | 'absent' | 'rejected';
type Result = {
  readonly what: 'suspend' | 'revoke' | 'delete' | 'hold';
  readonly id: string;
  readonly outcome: Outcome;
};
/** Looks whether the database knows it; returns what makes it again, if not. */
type Look = () => Promise<(() => Promise<unknown>) | undefined>;

/** Adds the verb to the program. */
export function addReapplyVerb(program: Command, io: CliIo): void {
  withAuditOptions(program.command('reapply'))
    .description(
      'after a restore: suspend, revoke, delete and hold again what copies of the audit list and the databases forgot',
    )
    .argument('<file...>', "outputs of 'vdsctl audit --all --json', which may overlap")
    .action(
      withClients<WriteOptions>(io, (clients, { dryRun, ...options }, ...files) =>
        reapply(clients, files.flat(), auditFields(io, options), dryRun === true),
      ),
    );
}

async function reapply(clients: AdminClients, files: readonly string[], by: By, dryRun: boolean): Promise<Output> {
  const copies = files.map((file) => ({ file, ...parseAuditCopy(read(file), file) }));
  const { suspendedPublishers, revokedKeys, deletedVideos, heldVideos } = withdrawalsOf(
    copies.flatMap(({ entries }) => entries),
  );
  const results: Result[] = [];
  for (const id of suspendedPublishers)
    results.push({ what: 'suspend', id, outcome: await make(() => forgottenSuspension(clients, id, by), dryRun) });
  for (const id of revokedKeys)
    results.push({ what: 'revoke', id, outcome: await make(() => forgottenRevocation(clients, id, by), dryRun) });
  for (const id of deletedVideos)
    results.push({ what: 'delete', id, outcome: await make(() => forgottenDeletion(clients, id, by), dryRun) });
  for (const [id, entry] of heldVideos)
    results.push({ what: 'hold', id, outcome: await make(() => forgottenHold(clients, id, entry, by), dryRun) });
  return output(
    results,
    copies.filter(({ more }) => more).map(({ file }) => file),
    dryRun,
  );
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new AppError('INVALID_ARGUMENT', `${file} cannot be read`, { cause: error });
  }
}

async function make(look: Look, dryRun: boolean): Promise<Outcome> {
  try {
    const again = await look();
    if (!again) return 'known';
    if (!dryRun) await again();
    return 'done';
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return 'absent';
    if (error instanceof AppError && error.code === 'FAILED_PRECONDITION') return 'rejected';
    throw error;
  }
}

async function forgottenRevocation(clients: AdminClients, keyId: string, by: By): ReturnType<Look> {
  const { revokedAt } = await clients.keys().GetKey({ keyId });
  return revokedAt === undefined ? () => clients.keys().RevokeKey({ keyId, ...by }) : undefined;
}

async function forgottenSuspension(clients: AdminClients, publisherId: string, by: By): ReturnType<Look> {
  const { suspendedAt } = await clients.keys().GetPublisher({ publisherId });
  const request = { publisherId, suspended: true, ...by };
  return suspendedAt === undefined ? () => clients.keys().SetSuspension(request) : undefined;
}

async function forgottenDeletion(clients: AdminClients, videoId: string, by: By): ReturnType<Look> {
  const { video, intent } = await clients.videos().ShowVideo({ videoId });
  const isKnown = intent === 'delete' || (video !== null && stateOf(video.state) === 'deleted');
  return isKnown ? undefined : () => clients.videos().RemoveVideo({ videoId, ...by });
}

/** A hold that the database remembers may have been released after the copy was made. */
async function forgottenHold(clients: AdminClients, videoId: string, entry: CopiedEntry, by: By): ReturnType<Look> {
  const { held } = await clients.videos().ShowVideo({ videoId });
  if (held) return undefined;
  const { rows } = await collectPages(Infinity, async (page) => {
    const { entries, nextCursor } = await clients.videos().ListAudit({ videoId, since: entry.at, ...page });
    return { rows: entries, nextCursor };
  });
  const isRemembered = rows.some(({ at, action }) => at === entry.at && action === entry.action);
  return isRemembered ? undefined : () => clients.videos().HoldVideo({ videoId, ...by });
}

function output(results: readonly Result[], cut: readonly string[], dryRun: boolean): Output {
  const changed = results.filter(({ outcome }) => outcome === 'done');
  const rejected = results.filter(({ outcome }) => outcome === 'rejected');
  const rows = [...changed, ...rejected].map(({ what, id, outcome }) => [
    what,
    id,
    dryRun && outcome === 'done' ? 'would be done' : outcome,
  ]);
  const counts = Object.entries(Object.groupBy(results, ({ outcome }) => outcome)).map(
    ([outcome, list]) => `${list.length} ${outcome}`,
  );
  const failures = [
    ...(rejected.length > 0 ? [`${rejected.length} were rejected`] : []),
    ...cut.map((file) => `${file} lacks older entries: copies are made with --all`),
  ];
  return {
    json: { dryRun, results, incomplete: cut },
    text: `${table(['what', 'id', 'result'], rows, 'The databases have forgotten nothing of it.')}\n\n${counts.join(', ') || 'Nothing in the copies'}.`,
    ...(failures.length > 0 && { failure: failures.join('; ') }),
  };
}
