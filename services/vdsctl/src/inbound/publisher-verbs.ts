/** `vdsctl publisher …`: the accounts that own keys and videos. */
import type { Command } from 'commander';
import type { KeyOut } from '@vds/proto/generated/vds/auth/v1/Key.ts';
import type { PublisherOut } from '@vds/proto/generated/vds/auth/v1/Publisher.ts';
import { AppError } from '@vds/chassis/errors';
import type { AdminClients } from '../outbound/admin-clients.ts';
import { addBudgetVerb, budgetFacts } from './budget-verb.ts';
import { keyTable } from './key-changes.ts';
import { facts, table } from './output.ts';
import {
  withClients,
  withAuditOptions,
  auditFields,
  dryRunOutput,
  type Output,
  type WriteOptions,
  type CliIo,
} from './verb.ts';

/** The most budgets that catalog accepts in one request. */
const MAX_BUDGETS = 1_000;

type CreateOptions = WriteOptions & { readonly organization: string };
type RenameOptions = WriteOptions & { readonly name?: string; readonly organization?: string };

/** Adds the verbs to the program. */
export function addPublisherVerbs(program: Command, io: CliIo): void {
  const publisher = program.command('publisher').description('publisher accounts');
  withAuditOptions(publisher.command('create'))
    .description('create an account')
    .argument('<name>')
    .requiredOption('--organization <id or name>', 'the organization that it belongs to; a new name creates it')
    .action(
      withClients<CreateOptions>(io, async (clients, { organization, dryRun, ...audit }, name = '') =>
        create(clients, { name, organization, ...auditFields(io, audit) }, dryRun === true),
      ),
    );
  withAuditOptions(publisher.command('rename'))
    .description('change the name of an account, or its organization')
    .argument('<publisher id>')
    .option('--name <name>', 'its new name')
    .option('--organization <id or name>', 'its new organization; a new name creates it')
    .action(
      withClients<RenameOptions>(io, async (clients, { name, organization, dryRun, ...audit }, publisherId = '') => {
        const names = { ...(name !== undefined && { name }), ...(organization !== undefined && { organization }) };
        return rename(clients, { publisherId, ...names, ...auditFields(io, audit) }, dryRun === true);
      }),
    );
  const suspension = (name: string, suspended: boolean, description: string): void =>
    void withAuditOptions(publisher.command(name))
      .description(description)
      .argument('<publisher id>')
      .action(
        withClients<WriteOptions>(io, async (clients, { dryRun, ...audit }, publisherId = '') => {
          const request = { publisherId, suspended, ...auditFields(io, audit) };
          if (!dryRun) return publisherOutput(await clients.keys().SetSuspension(request));
          const { was, became } = await clients.keys().PreviewChange({ setSuspension: request });
          const noChange = `change nothing: publisher ${publisherId} is ${was}`;
          return dryRunOutput(was === became ? noChange : `${name} publisher ${publisherId}`, { was, became });
        }),
      );
  suspension('suspend', true, 'its keys stop working at once, as if they were revoked; its videos stay as they are');
  suspension('resume', false, 'end a suspension: the keys that were not revoked work again');
  addBudgetVerb(publisher, io);
  publisher.command('list').description('every account, oldest first').action(withClients(io, listPublishers));
  publisher
    .command('show')
    .description('an account with its budgets and keys, their limits, and what is used of them today (UTC)')
    .argument('<publisher id>')
    .action(withClients(io, (clients, _, publisherId = '') => showPublisher(clients, publisherId)));
}

async function create(
  clients: AdminClients,
  request: { name: string; organization: string; actor: string; reason: string },
  dryRun: boolean,
): Promise<Output> {
  if (!dryRun) return publisherOutput(await clients.keys().CreatePublisher(request));
  const { became } = await clients.keys().PreviewChange({ createPublisher: request });
  return dryRunOutput(`create the publisher ${became}`, { became });
}

function publisherOutput(publisher: PublisherOut): Output {
  return { json: publisher, text: describePublisher(publisher) };
}

function describePublisher(publisher: PublisherOut): string {
  return facts([
    ['publisher', publisher.id],
    ['name', publisher.name],
    ['organization', `${publisher.organization} (${publisher.organizationId})`],
    ['created', publisher.createdAt],
    ['suspended', publisher.suspendedAt],
  ]);
}

async function rename(
  clients: AdminClients,
  request: { publisherId: string; name?: string; organization?: string; actor: string; reason: string },
  dryRun: boolean,
): Promise<Output> {
  if (request.name === undefined && request.organization === undefined)
    throw new AppError('INVALID_ARGUMENT', 'give --name, --organization, or both');
  if (!dryRun) return publisherOutput(await clients.keys().UpdatePublisher(request));
  const { was, became } = await clients.keys().PreviewChange({ updatePublisher: request });
  return dryRunOutput(`rename publisher ${request.publisherId} from ${was} to ${became}`, { was, became });
}

async function listPublishers(clients: AdminClients): Promise<Output> {
  const { publishers } = await clients.keys().ListPublishers({});
  const rows = publishers.map(({ id, name, organization, createdAt, suspendedAt }) => {
    return [id, name, organization, createdAt, suspendedAt === undefined ? 'active' : 'suspended'];
  });
  const text = table(['publisher', 'name', 'organization', 'created', 'state'], rows, 'There are no publishers yet.');
  return { json: { publishers }, text };
}

async function showPublisher(clients: AdminClients, publisherId: string): Promise<Output> {
  const [publisher, { keys }, budgets] = await Promise.all([
    clients.keys().GetPublisher({ publisherId }),
    clients.keys().ListKeys({ publisherId }),
    clients.videos().GetBudgets({ publisherId }),
  ]);
  const { used, resetsInSeconds } = await usedToday(clients, keys);
  const counted = keys.map((key) => ({ ...key, usedToday: used.get(key.budgetId) ?? 0 }));
  return {
    json: { publisher, keys: counted, budgets, resetsInSeconds },
    text: `${describePublisher(publisher)}\n${budgetFacts(budgets)}\n\n${keyTable(counted, ({ usedToday }) => [`used today: ${usedToday}`])}`,
  };
}

async function usedToday(clients: AdminClients, keys: readonly KeyOut[]) {
  const budgetIds = [...new Set(keys.map(({ budgetId }) => budgetId))];
  const used = new Map<string, number>();
  let resetsInSeconds = 0;
  for (let from = 0; from === 0 || from < budgetIds.length; from += MAX_BUDGETS) {
    const page = await clients.videos().GetDailyUse({ budgetIds: budgetIds.slice(from, from + MAX_BUDGETS) });
    Object.entries(page.used).forEach(([budgetId, count]) => used.set(budgetId, count));
    ({ resetsInSeconds } = page);
  }
  return { used, resetsInSeconds };
}
