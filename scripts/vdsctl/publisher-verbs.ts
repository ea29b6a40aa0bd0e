/** `vdsctl publisher …`: accounts that keys and videos belong to. */
import type { Command } from 'commander';
import type { KeyOut } from '@vds/proto/generated/vds/auth/v1/Key.ts';
import type { PublisherOut } from '@vds/proto/generated/vds/auth/v1/Publisher.ts';
import { AppError } from '@vds/chassis/errors';
import { facts, table } from './output.ts';
import type { Session } from './session.ts';
import { act, asDeed, whoAsks, would, type Answer, type Deed, type Surroundings } from './verb.ts';

/** What catalog takes at once. */
const MOST_BUDGETS = 1_000;

type Create = Deed & { readonly organization: string };
type Rename = Deed & { readonly name?: string; readonly organization?: string };

/** Adds the verbs to the program. */
export function addPublisherVerbs(program: Command, surroundings: Surroundings): void {
  const publisher = program.command('publisher').description('publisher accounts');
  asDeed(publisher.command('create'))
    .description('make an account')
    .argument('<name>')
    .requiredOption('--organization <name>', 'the organization behind it')
    .action(
      act<Create>(surroundings, async (session, { organization, dryRun, ...why }, name = '') =>
        create(session, { name, organization, ...whoAsks(surroundings, why) }, dryRun === true),
      ),
    );
  asDeed(publisher.command('rename'))
    .description('change the name of an account, or its organization')
    .argument('<publisher id>')
    .option('--name <name>', 'its new name')
    .option('--organization <name>', 'its new organization')
    .action(
      act<Rename>(surroundings, async (session, { name, organization, dryRun, ...why }, publisherId = '') => {
        const names = { ...(name !== undefined && { name }), ...(organization !== undefined && { organization }) };
        return rename(session, { publisherId, ...names, ...whoAsks(surroundings, why) }, dryRun === true);
      }),
    );
  publisher.command('list').description('every account, oldest first').action(act(surroundings, listed));
  publisher
    .command('show')
    .description('an account with its keys, their limits, and what was ingested today (UTC)')
    .argument('<publisher id>')
    .action(act(surroundings, (session, _, publisherId = '') => show(session, publisherId)));
}

async function create(
  session: Session,
  request: { name: string; organization: string; actor: string; reason: string },
  dry: boolean,
): Promise<Answer> {
  if (!dry) return shown(await session.keys().CreatePublisher(request));
  const { became } = await session.keys().PreviewChange({ createPublisher: request });
  return would(`create the publisher ${became}`, { became });
}

function shown(publisher: PublisherOut): Answer {
  return { json: publisher, text: described(publisher) };
}

function described(publisher: PublisherOut): string {
  return facts([
    ['publisher', publisher.id],
    ['name', publisher.name],
    ['organization', publisher.organization],
    ['created', publisher.createdAt],
  ]);
}

async function rename(
  session: Session,
  request: { publisherId: string; name?: string; organization?: string; actor: string; reason: string },
  dry: boolean,
): Promise<Answer> {
  if (request.name === undefined && request.organization === undefined)
    throw new AppError('INVALID_ARGUMENT', 'give --name, --organization, or both');
  if (!dry) return shown(await session.keys().UpdatePublisher(request));
  const { was, became } = await session.keys().PreviewChange({ updatePublisher: request });
  return would(`rename publisher ${request.publisherId} from ${was} to ${became}`, { was, became });
}

async function listed(session: Session): Promise<Answer> {
  const { publishers } = await session.keys().ListPublishers({});
  const rows = publishers.map(({ id, name, organization, createdAt }) => [id, name, organization, createdAt]);
  const text = table(['publisher', 'name', 'organization', 'created'], rows, 'There are no publishers yet.');
  return { json: { publishers }, text };
}

/** The account with its keys, their limits, and how much of each day budget is used. */
async function show(session: Session, publisherId: string): Promise<Answer> {
  const [publisher, { keys }] = await Promise.all([
    session.keys().GetPublisher({ publisherId }),
    session.keys().ListKeys({ publisherId }),
  ]);
  const { used, resetsInSeconds } = await usedToday(session, keys);
  const counted = keys.map((key) => ({ ...key, usedToday: used.get(key.budgetId) ?? 0 }));
  const rows = counted.map((key) => [
    key.id,
    key.scopes.join(' '),
    String(key.minuteLimit),
    String(key.dailyLimit),
    String(key.usedToday),
    key.createdAt,
    key.revokedAt ?? '–',
  ]);
  const titles = ['key', 'scopes', 'per minute', 'per day', 'used today', 'created', 'revoked'];
  return {
    json: { publisher, keys: counted, resetsInSeconds },
    text: `${described(publisher)}\n\n${table(titles, rows, 'This publisher has no keys yet.')}`,
  };
}

/** How much of each budget is used today. */
async function usedToday(session: Session, keys: readonly KeyOut[]) {
  const budgetIds = [...new Set(keys.map(({ budgetId }) => budgetId))];
  const used = new Map<string, number>();
  let resetsInSeconds = 0;
  for (let from = 0; from === 0 || from < budgetIds.length; from += MOST_BUDGETS) {
    const page = await session.videos().GetDailyUse({ budgetIds: budgetIds.slice(from, from + MOST_BUDGETS) });
    Object.entries(page.used).forEach(([budgetId, count]) => used.set(budgetId, count));
    ({ resetsInSeconds } = page);
  }
  return { used, resetsInSeconds };
}
