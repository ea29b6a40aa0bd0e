/** `vdsctl jobs …`: the work of the services with stages. */
import { Option, type Command } from 'commander';
import { stageOwners } from '@vds/proto/events';
import type { WorkerJobOut } from '@vds/proto/generated/vds/common/v1/WorkerJob.ts';
import { bareVideoId } from '../domain/ids.ts';
import type { AdminClients } from '../outbound/admin-clients.ts';
import { table } from './output.ts';
import { collectPages, withClients, withLimit, type CliIo, type Output } from './verb.ts';

type ListOptions = { readonly service?: string; readonly state?: string; readonly limit: number };
type Listed = WorkerJobOut & { readonly service: string };

const states = ['ready', 'running', 'done', 'failed', 'cancelled'];

/** Adds the verbs to the program. */
export function addJobVerbs(program: Command, io: CliIo): void {
  const jobs = program.command('jobs').description(`the jobs of ${stageOwners.join(', ')}`);
  withLimit(jobs.command('list'))
    .description('jobs by state, oldest first')
    .addOption(new Option('--service <name>', 'only those of this service').choices([...stageOwners]))
    .addOption(new Option('--state <state>', 'only those in this state').choices(states).default('ready'))
    .action(
      withClients<ListOptions>(io, (clients, { service, state = '', limit }) =>
        list(clients, service ? [service] : stageOwners, { videoId: '', state }, limit),
      ),
    );
  withLimit(jobs.command('show'))
    .description('every job of a video')
    .argument('<video id>')
    .action(
      withClients<ListOptions>(io, (clients, { limit }, id = '') =>
        list(clients, stageOwners, { videoId: bareVideoId(id), state: '' }, limit),
      ),
    );
}

/** @param limit how many of each service */
async function list(
  clients: AdminClients,
  services: readonly string[],
  query: { readonly videoId: string; readonly state: string },
  limit: number,
): Promise<Output> {
  const pages = await Promise.all(
    services.map(async (service) => {
      const { rows, more } = await collectPages(limit, async (page) => {
        const { jobs, nextCursor } = await clients.worker(service).ListJobs({ ...query, ...page });
        return { rows: jobs, nextCursor };
      });
      return { more, jobs: rows.map((job): Listed => ({ ...job, service })) };
    }),
  );
  const jobs = pages.flatMap((page) => page.jobs);
  const more = pages.some((page) => page.more);
  const titles = [
    'video',
    'service',
    'job',
    'attempt',
    'state',
    'tries',
    'crashes',
    'blocked',
    'next try',
    'last error',
  ];
  const text = table(titles, jobs.map(line), 'There are no such jobs.');
  return { json: { jobs, more }, text: more ? `${text}\n\nThere are more: use a larger --limit.` : text };
}

function line(job: Listed): string[] {
  const name = job.revision === 0 ? job.name : `${job.name} (revision ${job.revision})`;
  return [
    job.videoId || '–',
    job.service,
    `${job.stage}/${name}`,
    String(job.attempt),
    job.state === 'running' ? `running ${job.progress} %` : job.state,
    String(job.tries),
    job.quarantined ? `${job.crashes}, quarantined` : String(job.crashes),
    job.blockedSince === undefined ? '–' : `${job.blockedBy ?? ''} since ${job.blockedSince}`,
    job.nextTryAt ?? '–',
    job.error ?? '–',
  ];
}
