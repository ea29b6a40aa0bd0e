/** `vdsctl dead-letters …`: messages that a service has given up on. */
import { InvalidArgumentError, type Command } from 'commander';
import { durableConsumers } from '@vds/proto/events';
import type { DeadLetterOut } from '@vds/proto/generated/vds/common/v1/DeadLetter.ts';
import { AppError, messageOf } from '@vds/chassis/errors';
import type { AdminClients } from '../outbound/admin-clients.ts';
import { facts, tableWithNotes } from './output.ts';
import {
  withClients,
  withAuditOptions,
  withLimit,
  collectPages,
  auditFields,
  dryRunOutput,
  type Output,
  type WriteOptions,
  type CliIo,
} from './verb.ts';

type Filter = { readonly service?: string; readonly subject?: string; readonly limit: number };
type ReplayOptions = WriteOptions & Omit<Filter, 'limit'> & { readonly all?: true };
type Located = DeadLetterOut & { readonly service: string };
type Id = { readonly service: string; readonly sequence: number };

/** Adds the verbs to the program. */
export function addDeadLetterVerbs(program: Command, io: CliIo): void {
  const group = program.command('dead-letters').description('messages that a service has given up on');
  withFilter(withLimit(group.command('list')))
    .description('the dead letters of every service, oldest first')
    .action(withClients<Filter>(io, list));
  group
    .command('show')
    .description('one dead letter with its payload')
    .argument('<id>', 'as listed, such as catalog/17', parseId)
    .action(
      withClients(io, async (clients, _, id) => {
        const { service, sequence } = id as unknown as Id;
        const found = await clients.deadLetters(service).ShowDeadLetter({ sequence });
        return deadLetterOutput({ ...found, service });
      }),
    );
  withFilter(withAuditOptions(group.command('replay')))
    .description('have the service handle dead letters again; those that succeed are removed')
    .argument('[id]', 'as listed, such as catalog/17', parseId)
    .option('--all', 'every dead letter, or those that --service and --subject select')
    .action(withClients<ReplayOptions>(io, (clients, options, id) => replay(clients, options, io, id)));
}

function withFilter(command: Command): Command {
  return command
    .option('--service <name>', `only of this service: ${durableConsumers.join(', ')}`, parseService)
    .option('--subject <subject>', 'only of this event');
}

function parseService(argument: string): string {
  const found = durableConsumers.find((name) => name === argument);
  if (!found) throw new InvalidArgumentError(`It must be one of ${durableConsumers.join(', ')}.`);
  return found;
}

function parseId(argument: string): Id {
  const [, name = '', sequence] = /^([a-z]+)\/(\d{1,15})$/.exec(argument) ?? [];
  if (sequence === undefined) throw new InvalidArgumentError('It must be <service>/<number>, such as catalog/17.');
  return { service: parseService(name), sequence: Number(sequence) };
}

async function list(clients: AdminClients, filter: Filter): Promise<Output> {
  const { rows, more } = await select(clients, filter);
  const lines = rows.map((letter) => ({
    cells: [idOf(letter), letter.deadLetteredAt, letter.subject],
    note: letter.reason,
  }));
  const text = tableWithNotes(['id', 'since', 'event'], lines, 'There are no dead letters.');
  const note = 'There are more: use a larger --limit, or --service.';
  return { json: { deadLetters: rows, more }, text: more ? `${text}\n\n${note}` : text };
}

/** The dead letters that the options select, oldest first. */
async function select(clients: AdminClients, { service, subject, limit }: Filter) {
  const services = service === undefined ? durableConsumers : [service];
  const found = await Promise.all(
    services.map((name) =>
      collectPages(limit, async (page) => {
        const { deadLetters, nextCursor } = await clients.deadLetters(name).ListDeadLetters(page);
        const wanted = deadLetters.filter((letter) => subject === undefined || letter.subject === subject);
        return { rows: wanted.map((letter): Located => ({ ...letter, service: name })), nextCursor };
      }),
    ),
  );
  const rows = found.flatMap((one) => one.rows).toSorted((a, b) => a.deadLetteredAt.localeCompare(b.deadLetteredAt));
  return { rows: rows.slice(0, limit), more: rows.length > limit || found.some((one) => one.more) };
}

function idOf({ service, sequence }: Id): string {
  return `${service}/${sequence}`;
}

function deadLetterOutput(letter: Located): Output {
  const { payload, ...rest } = letter;
  const document: unknown = payload === '' ? null : JSON.parse(payload);
  const head = facts([
    ['dead letter', idOf(letter)],
    ['event', letter.subject],
    ['since', letter.deadLetteredAt],
    ['reason', letter.reason],
    ['message id', letter.messageId],
  ]);
  const body = document === null ? 'The payload cannot be decoded.' : JSON.stringify(document, null, 2);
  return { json: rest, raw: { payload: document }, text: `${head}\n\n${body}` };
}

async function replay(clients: AdminClients, options: ReplayOptions, io: CliIo, id: string | undefined) {
  const { dryRun, all, actor, reason, ...filter } = options;
  if ((id === undefined) === (all === undefined))
    throw new AppError('INVALID_ARGUMENT', 'give the id of one dead letter, or --all');
  const audit = auditFields(io, { ...(actor !== undefined && { actor }), ...(reason !== undefined && { reason }) });
  const chosen: readonly Id[] =
    id === undefined ? (await select(clients, { ...filter, limit: Infinity })).rows : [id as unknown as Id];
  if (dryRun) {
    const ids = chosen.map(idOf);
    return dryRunOutput(ids.length === 0 ? 'change nothing: there are no dead letters' : `replay ${ids.join(' ')}`);
  }
  const failed: string[] = [];
  for (const one of chosen) {
    const request = { sequence: one.sequence, ...audit };
    await clients
      .deadLetters(one.service)
      .ReplayDeadLetter(request, { timeoutMs: 60_000 })
      .catch((error: unknown) => {
        if (id !== undefined) throw error;
        failed.push(`${idOf(one)}: ${messageOf(error)}`);
      });
  }
  const replayed = chosen.length - failed.length;
  if (failed.length > 0)
    throw new AppError('FAILED_PRECONDITION', `${replayed} replayed, ${failed.length} failed\n${failed.join('\n')}`);
  return { json: { replayed }, text: `${replayed} replayed` };
}
