/** `vdsctl staff …`: the people who operate the service, each with a token of their own, so that the audit names them. */
import type { Command } from 'commander';
import type { StaffMemberOut } from '@vds/proto/generated/vds/auth/v1/StaffMember.ts';
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

type Request = { readonly name: string; readonly actor: string; readonly reason: string };

/** Adds the verbs to the program. */
export function addStaffVerbs(program: Command, io: CliIo): void {
  const staff = program.command('staff').description('people who operate the service, each with a token of their own');
  const change = (
    verb: string,
    run: (clients: AdminClients, request: Request) => Promise<Output>,
    description: string,
  ) =>
    void withAuditOptions(staff.command(verb))
      .description(description)
      .argument('<name>')
      .action(
        withClients<WriteOptions>(io, async (clients, { dryRun, ...audit }, name = '') => {
          const request = { name, ...auditFields(io, audit) };
          if (!dryRun) return run(clients, request);
          const preview = verb === 'add' ? { addStaff: request } : { revokeStaff: request };
          const { became } = await clients.keys().PreviewChange(preview);
          return dryRunOutput(`${verb} the token of ${name}`, { became });
        }),
      );
  change('add', add, 'give a person a token, which is printed only this once: they set it as VDSCTL_TOKEN');
  change('revoke', revoke, "end a person's token; what they are signed in with ends within ten minutes");
  staff.command('list').description('everyone, revoked ones included').action(withClients(io, list));
}

async function add(clients: AdminClients, request: Request): Promise<Output> {
  const { member, token } = await clients.keys().AddStaff(request);
  const text = `${member ? describe(member) : ''}\n\n${token}\n\nThe token is not shown again; VDSCTL_TOKEN holds it.`;
  return { json: { member, token }, text };
}

function describe(member: StaffMemberOut): string {
  return facts([
    ['name', member.name],
    ['created', member.createdAt],
    ['revoked', member.revokedAt],
  ]);
}

async function revoke(clients: AdminClients, request: Request): Promise<Output> {
  const member = await clients.keys().RevokeStaff(request);
  return { json: member, text: describe(member) };
}

async function list(clients: AdminClients): Promise<Output> {
  const { staff } = await clients.keys().ListStaff({});
  const rows = staff.map(({ name, createdAt, revokedAt = 'in force' }) => [name, createdAt, revokedAt]);
  return { json: { staff }, text: table(['name', 'created', 'revoked'], rows, 'Nobody has a token of their own yet.') };
}
