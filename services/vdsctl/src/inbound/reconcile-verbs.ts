/** `vdsctl reconcile`: what the services' stores disagree about after a restore, and its repair. */
import type { Command } from 'commander';
import type { FindingOut } from '@vds/proto/generated/vds/catalog/v1/Finding.ts';
import { AppError } from '@vds/chassis/errors';
import { isSuspicious, summarize, type Summary } from '../domain/findings.ts';
import type { AdminClients } from '../outbound/admin-clients.ts';
import { repairVideos, compareVideos, type Comparison } from '../outbound/compare-videos.ts';
import { table } from './output.ts';
import { auditFields, withClients, type AuditOptions, type CliIo, type CommonOptions, type Output } from './verb.ts';

type ReconcileOptions = AuditOptions &
  CommonOptions & { readonly repair?: true; readonly objects?: true; readonly force?: true };

/** Adds the verb to the program. */
export function addReconcileVerb(program: Command, io: CliIo): void {
  program
    .command('reconcile')
    .description('compare catalog with the stores of all services; changes nothing without --repair')
    .option('--repair', 'repair what is found; objects that are in use are never deleted')
    .option('--objects', 'also check every object of every live video')
    .option('--force', 'repair even if catalog does not know most of the videos that the others know')
    .option('--actor <name>', 'who repairs (default: the variable USER)')
    .option('--reason <text>', 'why; required with --repair, recorded in the audit')
    .action(withClients<ReconcileOptions>(io, (clients, options) => reconcile(clients, options, io)));
}

async function reconcile(clients: AdminClients, options: ReconcileOptions, io: CliIo): Promise<Output> {
  const { repair, objects = false, force = false, json, ...audit } = options;
  const by = repair ? auditFields(io, { reason: '', ...audit }) : undefined;
  let reported = 0;
  const onProgress = (videos: number): void => {
    if (json || videos < reported + 10_000) return;
    reported = videos;
    io.err(`${videos} videos compared`);
  };
  const comparison = await compareVideos(clients, { objects }, onProgress);
  if (!by || comparison.findings.length === 0) return output(comparison, comparison.findings);
  if (!force && isSuspicious(comparison.findings, comparison.videos))
    throw new AppError(
      'FAILED_PRECONDITION',
      'catalog does not know most of the videos that the other services know: is it the right database? With --force their data is purged',
    );
  return output(comparison, await repairVideos(clients, comparison, { objects }, by));
}

/** Fails, after printing, where anything is left. */
function output({ videos }: Comparison, findings: readonly FindingOut[]): Output {
  const summary = summarize(findings);
  const left = findings.filter(({ repaired }) => !repaired).length;
  const text = table(['kind', 'owner', 'videos', 'repair', 'repaired', 'first'], summary.map(line), 'Nothing differs.');
  return {
    json: { videos, left, summary, findings },
    text: `${text}\n\n${videos} videos compared, ${findings.length} findings, ${left} left.`,
    ...(left > 0 && { failure: `${left} findings are left` }),
  };
}

function line({ kind, owner, count, repair, repaired, first }: Summary): string[] {
  return [kind, owner, String(count), repair || '–', String(repaired), first.join(' ')];
}
