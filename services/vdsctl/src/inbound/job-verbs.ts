/** `vdsctl jobs …`: the work of the services with stages. */
import { Option, type Command } from 'commander';
import { stageOwners } from '@vds/proto/stages';
import { bareVideoId } from '../domain/ids.ts';
import type { AdminClients } from '../outbound/admin-clients.ts';
import { jobTable, listJobs, type JobQuery } from './jobs.ts';
import { nowOf, withClients, withLimit, withWatch, type CliIo, type Output } from './verb.ts';

type ListOptions = { readonly service?: string; readonly state?: string; readonly limit: number };

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
        list(clients, nowOf(io), service ? [service] : stageOwners, { videoId: '', state }, limit),
      ),
    );
  withWatch(withLimit(jobs.command('show')))
    .description('every job of a video')
    .argument('<video id>')
    .action(
      withClients<ListOptions>(io, (clients, { limit }, id = '') =>
        list(clients, nowOf(io), stageOwners, { videoId: bareVideoId(id), state: '' }, limit),
      ),
    );
}

/** @param limit how many of each service */
async function list(
  clients: AdminClients,
  now: Date,
  services: readonly string[],
  query: JobQuery,
  limit: number,
): Promise<Output> {
  const pages = await Promise.all(services.map((service) => listJobs(clients, service, query, limit)));
  const jobs = pages.flatMap((page) => page.jobs);
  const more = pages.some((page) => page.more);
  const text = jobTable(jobs, now, 'There are no such jobs.');
  return {
    json: { jobs, more },
    text: more ? `${text}\n\nThere are more: use a larger --limit.` : text,
    settled: !jobs.some(({ state }) => state === 'ready' || state === 'running'),
  };
}
