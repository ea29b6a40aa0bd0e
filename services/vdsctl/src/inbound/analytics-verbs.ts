/** `vdsctl analytics …`: queries of an organization's views, and what erases events. */
import type { Command } from 'commander';
import type { QueryReplyOut } from '@vds/proto/generated/vds/analytics/v1/QueryReply.ts';
import { AppError } from '@vds/chassis/errors';
import type { AdminClients } from '../outbound/admin-clients.ts';
import { csvText, jsonText, table } from './output.ts';
import { auditFields, withAuditOptions, withClients, type CliIo, type Output, type WriteOptions } from './verb.ts';

type QueryOptions = {
  readonly organization: string;
  readonly from?: string;
  readonly to?: string;
  readonly format: string;
};
type AccessOptions = { readonly organization: string; readonly for?: string };
type OfOrganization = WriteOptions & { readonly organization: string };
type Row = Readonly<Record<string, unknown>>;

/** Adds the verbs to the program. */
export function addAnalyticsVerbs(program: Command, io: CliIo): void {
  const analytics = program.command('analytics').description('performance data of organizations');
  analytics
    .command('query')
    .description('answer one SELECT over the views of one organization (deploy/guide/analytics.md)')
    .argument('<select>')
    .requiredOption('--organization <id or name>', 'whose views')
    .option('--from <day>', 'only events that were received on this day (UTC) or later, such as 2026-11-26')
    .option('--to <day>', 'only events that were received on this day or earlier')
    .option('--format <format>', 'table, csv or json', 'table')
    .action(
      withClients<QueryOptions>(
        io,
        async (clients, { organization, from: fromDay = '', to: toDay = '', format }, sql = '') => {
          const organizationId = await idOf(clients, organization);
          return queryOutput(await clients.analytics().Query({ organizationId, sql, fromDay, toDay }), format);
        },
      ),
    );
  for (const [verb, revoke] of [
    ['grant', false],
    ['revoke', true],
  ] as const)
    analytics
      .command(verb)
      .description(`print what ${revoke ? 'takes away' : 'gives'} an organization's access with an engine of its own`)
      .requiredOption('--organization <id or name>', 'whose views')
      .option('--for <engine>', 'files, clickhouse, bigquery, snowflake or athena; by default the store')
      .action(
        withClients<AccessOptions>(io, async (clients, { organization, for: engine = '' }) => {
          const organizationId = await idOf(clients, organization);
          const { text } = await clients.analytics().DescribeAccess({ organizationId, engine, revoke });
          return { json: { text }, text: text.trimEnd() };
        }),
      );
  withAuditOptions(analytics.command('delete-viewer'))
    .description('erase the events of a viewer, by the viewer_id of the views')
    .argument('<viewer id>')
    .requiredOption('--organization <id or name>', 'whose viewer')
    .action(
      withClients<OfOrganization>(io, async (clients, { organization, dryRun, ...audit }, viewerId = '') => {
        const organizationId = await idOf(clients, organization);
        if (dryRun === true) return { json: { organizationId, viewerId }, text: `would erase the viewer ${viewerId}` };
        const by = auditFields(io, audit);
        const { events } = await clients.analytics().DeleteViewer({ organizationId, viewerId, ...by });
        return { json: { events }, text: `${events} events erased` };
      }),
    );
  withAuditOptions(analytics.command('delete-organization'))
    .description('erase every event of an organization')
    .argument('<organization id or name>')
    .action(
      withClients<WriteOptions>(io, async (clients, { dryRun, ...audit }, organization = '') => {
        const organizationId = await idOf(clients, organization);
        if (dryRun === true) return { json: { organizationId }, text: `would erase the events of ${organizationId}` };
        await clients.analytics().DeleteOrganization({ organizationId, ...auditFields(io, audit) });
        return { json: { organizationId }, text: `the events of ${organizationId} are erased` };
      }),
    );
}

async function idOf(clients: AdminClients, idOrName: string): Promise<string> {
  const { organizations } = await clients.keys().ListOrganizations({});
  const found = organizations.find(({ id, name }) => id === idOrName || name === idOrName);
  if (!found) throw new AppError('NOT_FOUND', `there is no organization '${idOrName}': see organization list`);
  return found.id;
}

function queryOutput({ columns, rows, isCut }: QueryReplyOut, format: string): Output {
  const parsed = rows.map((row) => JSON.parse(row) as Row);
  const cells = parsed.map((row) => columns.map((column) => cellOf(row[column])));
  const texts: Readonly<Record<string, () => string>> = {
    table: () => table(columns, cells, 'No rows.') + (isCut ? '\n\nMore rows were left out: add a LIMIT.' : ''),
    csv: () => csvText([columns, ...cells]),
    json: () => jsonText(parsed),
  };
  const text = texts[format];
  if (!text) throw new AppError('INVALID_ARGUMENT', `--format is one of ${Object.keys(texts).join(', ')}`);
  return { json: { columns, rows: parsed, isCut }, text: text() };
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(Math.round(value * 10_000) / 10_000);
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | boolean);
}
