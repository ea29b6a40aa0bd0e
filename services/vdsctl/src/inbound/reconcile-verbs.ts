/** `vdsctl reconcile`: what the services' stores disagree about after a restore, and its repair. */
import type { Command } from 'commander';
import { AppError } from '@vds/chassis/errors';
import { summarize, suspicion, type Summary } from '../domain/findings.ts';
import type { AdminClients } from '../outbound/admin-clients.ts';
import { compareVideos, compareAgain, type Compared } from '../outbound/compare-videos.ts';
import { table } from './output.ts';
import { auditFields, withClients, type AuditOptions, type CliIo, type CommonOptions, type Output } from './verb.ts';

type ReconcileOptions = AuditOptions &
  CommonOptions & {
    readonly repair?: true;
    readonly objects?: true;
    readonly repairUnreadable?: true;
    readonly force?: true;
  };

/** Adds the verb to the program. */
export function addReconcileVerb(program: Command, io: CliIo): void {
  program
    .command('reconcile')
    .description('compare catalog with the stores of all services; changes nothing without --repair')
    .option('--repair', 'repair what is found; objects that are in use are never deleted')
    .option('--objects', 'also check every object of every live video')
    .option(
      '--repair-unreadable',
      'also repair videos of which a document cannot be read: not while a later version wrote it',
    )
    .option('--force', 'repair even if so many videos are concerned that a database or bucket looks like the wrong one')
    .option('--actor <name>', 'who repairs (default: the variable USER)')
    .option('--reason <text>', 'why; required with --repair, recorded in the audit')
    .action(withClients<ReconcileOptions>(io, (clients, options) => reconcile(clients, options, io)));
}

async function reconcile(clients: AdminClients, options: ReconcileOptions, io: CliIo): Promise<Output> {
  const { repair, objects = false, repairUnreadable = false, force = false, json, ...audit } = options;
  const compared = { objects, repairUnreadable };
  const by = repair ? auditFields(io, { reason: '', ...audit }) : undefined;
  let reported = 0;
  const onProgress = (videos: number): void => {
    if (json || videos < reported + 10_000) return;
    reported = videos;
    io.err(`${videos} videos compared`);
  };
  const comparison = await compareVideos(clients, compared, onProgress);
  if (!by || comparison.findings.length === 0) return output(comparison.videos, comparison);
  const suspicious = force ? null : suspicion(comparison.findings, comparison.stored);
  if (suspicious !== null)
    throw new AppError(
      'FAILED_PRECONDITION',
      `${suspicious}: is every service connected to the right database and bucket? Nothing was changed; --force repairs all the same`,
    );
  const affected = [...new Set(comparison.findings.map(({ videoId }) => videoId)), ...comparison.changed];
  return output(comparison.videos, await compareAgain(clients, affected, compared, by));
}

/** Fails, after printing, where anything is left. */
function output(videos: number, { findings, changed }: Pick<Compared, 'findings' | 'changed'>): Output {
  const summary = summarize(findings);
  const left = findings.filter(({ repaired }) => !repaired).length;
  const text = table(['kind', 'owner', 'videos', 'repair', 'repaired', 'first'], summary.map(line), 'Nothing differs.');
  const counts = `${videos} videos compared, ${findings.length} findings, ${left} left`;
  const kept = changed.length > 0 ? `, ${changed.length} videos kept changing: repeat the command` : '';
  const next = findings.length > left ? ' The services work on the repairs: compare again until nothing differs.' : '';
  return {
    json: { videos, left, changed, summary, findings },
    text: `${text}\n\n${counts}${kept}.${next}`,
    ...(left + changed.length > 0 && { failure: `${left} findings are left${kept}`, differs: left > 0 }),
  };
}

function line({ kind, owner, count, repair, repaired, first }: Summary): string[] {
  return [kind, owner, String(count), repair || '–', String(repaired), first.join(' ')];
}
