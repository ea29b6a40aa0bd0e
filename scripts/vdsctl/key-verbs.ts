/** `vdsctl key …`: what partners call with; looking here, changing in key-changes.ts. */
import type { Command } from 'commander';
import { addKeyChanges } from './key-changes.ts';
import { describeKey, keyId } from './keys.ts';
import { table } from './output.ts';
import type { Session } from './session.ts';
import { act, type Answer, type Surroundings } from './verb.ts';

/** Adds the verbs to the program. */
export function addKeyVerbs(program: Command, surroundings: Surroundings): void {
  const key = program.command('key').description('API keys');
  addKeyChanges(key, surroundings);
  key
    .command('list')
    .description('every key of a publisher, revoked ones too')
    .argument('<publisher id>')
    .action(act(surroundings, (session, _, publisherId = '') => listKeys(session, publisherId)));
  key
    .command('show')
    .description('one key: whose it is, what it may do and how often')
    .argument('<key id>')
    .action(
      act(surroundings, async (session, _, id = '') => {
        const found = await session.keys().GetKey({ keyId: keyId(id) });
        return { json: found, text: describeKey(found) };
      }),
    );
}

async function listKeys(session: Session, publisherId: string): Promise<Answer> {
  const { keys } = await session.keys().ListKeys({ publisherId });
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
