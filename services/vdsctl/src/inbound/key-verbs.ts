/** `vdsctl key …`: partners' API keys; reads here, changes in key-changes.ts. */
import type { Command } from 'commander';
import { keyId } from '../domain/ids.ts';
import { addKeyChanges, describeKey, keyTable } from './key-changes.ts';
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
  return { json: { keys }, text: keyTable(keys) };
}
