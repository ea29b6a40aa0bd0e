/** `vdsctl organization …`: whom publishers belong to, and performance data is recorded for. */
import type { Command } from 'commander';
import type { OrganizationOut } from '@vds/proto/generated/vds/auth/v1/Organization.ts';
import type { AdminClients } from '../outbound/admin-clients.ts';
import { facts, table } from './output.ts';
import {
  auditFields,
  dryRunOutput,
  withAuditOptions,
  withClients,
  type CliIo,
  type Output,
  type WriteOptions,
} from './verb.ts';

type Audit = { readonly actor: string; readonly reason: string };

/** Adds the verbs to the program. */
export function addOrganizationVerbs(program: Command, io: CliIo): void {
  const organization = program.command('organization').description('organizations of publishers');
  withAuditOptions(organization.command('create'))
    .description('create an organization')
    .argument('<name>')
    .action(
      withClients<WriteOptions>(io, async (clients, { dryRun, ...audit }, name = '') =>
        create(clients, { name, ...auditFields(io, audit) }, dryRun === true),
      ),
    );
  withAuditOptions(organization.command('rename'))
    .description('change the name of an organization')
    .argument('<organization id>')
    .argument('<name>')
    .action(
      withClients<WriteOptions>(io, async (clients, { dryRun, ...audit }, organizationId = '', name = '') =>
        rename(clients, { organizationId, name, ...auditFields(io, audit) }, dryRun === true),
      ),
    );
  organization
    .command('list')
    .description('every organization, oldest first')
    .action(withClients(io, listOrganizations));
}

async function create(clients: AdminClients, request: { name: string } & Audit, dryRun: boolean): Promise<Output> {
  if (!dryRun) return organizationOutput(await clients.keys().CreateOrganization(request));
  const { became } = await clients.keys().PreviewChange({ createOrganization: request });
  return dryRunOutput(`create the organization ${became}`, { became });
}

async function rename(
  clients: AdminClients,
  request: { organizationId: string; name: string } & Audit,
  dryRun: boolean,
): Promise<Output> {
  if (!dryRun) return organizationOutput(await clients.keys().RenameOrganization(request));
  const { was, became } = await clients.keys().PreviewChange({ renameOrganization: request });
  return dryRunOutput(`rename the organization from ${was} to ${became}`, { was, became });
}

function organizationOutput(organization: OrganizationOut): Output {
  const { id, name, createdAt } = organization;
  const text = facts([
    ['organization', id],
    ['name', name],
    ['created', createdAt],
  ]);
  return { json: organization, text };
}

async function listOrganizations(clients: AdminClients): Promise<Output> {
  const { organizations } = await clients.keys().ListOrganizations({});
  const rows = organizations.map(({ id, name, createdAt }) => [id, name, createdAt]);
  return {
    json: { organizations },
    text: table(['organization', 'name', 'created'], rows, 'There are no organizations yet.'),
  };
}
