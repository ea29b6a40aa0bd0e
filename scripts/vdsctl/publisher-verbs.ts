/** `vdsctl publisher …`: accounts that keys and videos belong to. */
import type { Command } from 'commander';
import type { PublisherOut } from '@vds/proto/generated/vds/auth/v1/Publisher.ts';
import { notFound } from '@vds/shared/errors';
import { facts, table } from './output.ts';
import type { Session } from './session.ts';
import { act, dryRun, would, type Dry, type Surroundings } from './verb.ts';

/** One account. NOT_FOUND where there is none. */
export const findPublisher = async (session: Session, id: string): Promise<PublisherOut> => {
  const { publishers } = await session.keys().ListPublishers({});
  const found = publishers.find((publisher) => publisher.id === id);
  if (!found) throw notFound(`publisher ${id}`);
  return found;
};

type Create = Dry & { readonly organization: string };

/** Adds the verbs to the program. */
export const addPublisherVerbs = (program: Command, surroundings: Surroundings): void => {
  const publisher = program.command('publisher').description('publisher accounts');
  publisher
    .command('create')
    .description('make an account')
    .argument('<name>')
    .requiredOption('--organization <name>', 'the organization behind it')
    .addOption(dryRun())
    .action(
      act<Create>(surroundings, async (session, { organization, dryRun: dry }, name = '') => {
        if (dry) return would(`create the publisher '${name}' of '${organization}'`);
        const made = await session.keys().CreatePublisher({ name, organization });
        const text = facts([
          ['publisher', made.id],
          ['name', made.name],
          ['organization', made.organization],
        ]);
        return { json: made, text };
      }),
    );
  publisher
    .command('list')
    .description('every account, oldest first')
    .action(
      act(surroundings, async (session) => {
        const { publishers } = await session.keys().ListPublishers({});
        const rows = publishers.map(({ id, name, organization, createdAt }) => [id, name, organization, createdAt]);
        const text = table(['publisher', 'name', 'organization', 'created'], rows, 'There are no publishers yet.');
        return { json: { publishers }, text };
      }),
    );
};
