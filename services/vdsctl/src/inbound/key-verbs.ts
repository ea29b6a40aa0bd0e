/** `vdsctl key …`: partners' API keys; reads here, changes in key-changes.ts. */
import type { Command } from 'commander';
import { keyId } from '../domain/ids.ts';
import { addKeyChanges, describeKey } from './key-changes.ts';
import { table } from './output.ts';
import type { AdminClients } from '../outbound/admin-clients.ts';
import { withClients, type Output, type CliIo } from './verb.ts';

/** Adds the verbs to the program. */
export function addKeyVerbs(program: Command, io: CliIo): void {
  const key = program.command('key').description('API keys');
  addKeyChanges(key, io);
  key
    .command('list')
    .description('every key of a publisher, including revoked ones')
    .argument('<publisher id>')
    .action(withClients(io, (clients, _, publisherId = '') => listKeys(clients, publisherId)));
  key
    .command('show')
    .description('one key: its publisher, scopes and limits')
    .argument('<key id>')
    .action(
      withClients(io, async (clients, _, id = '') => {
        const found = await clients.keys().GetKey({ keyId: keyId(id) });
        return { json: found, text: describeKey(found) };
      }),
    );
}

async function listKeys(clients: AdminClients, publisherId: string): Promise<Output> {
  const { keys } = await clients.keys().ListKeys({ publisherId });
  const rows = keys.map((key) => [
    key.id,
    key.scopes.join(' '),
    String(key.minuteLimit),
    String(key.dailyLimit),
    key.createdAt,
    key.revokedAt ?? '–',
  ]);
  const titles = ['key', 'scopes', 'per minute', 'per day', 'created', 'revoked'];
  return { json: { keys }, text: table(titles, rows, 'This publisher has no keys yet.') };
}
