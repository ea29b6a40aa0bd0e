/** `vdsctl key …` and `vdsctl signing-key …`: what partners call with, and what playback tokens are signed with. */
import type { Command } from 'commander';
import type { IssuedKeyOut } from '@vds/proto/generated/vds/auth/v1/IssuedKey.ts';
import type { KeyOut } from '@vds/proto/generated/vds/auth/v1/Key.ts';
import { AppError, notFound } from '@vds/shared/errors';
import { facts, table } from './output.ts';
import { findPublisher } from './publisher-verbs.ts';
import type { Session } from './session.ts';
import { act, count, dryRun, would, type Answer, type Dry, type Surroundings } from './verb.ts';

const BOTH = ['videos:read', 'videos:write'];

const list = (given: string): string[] => given.split(',').map((item) => item.trim());

type Limits = Dry & { readonly minuteLimit?: number; readonly dailyLimit?: number };
type Issue = Limits & { readonly scopes: readonly string[] };

/** The id of a key; a whole key is refused, as arguments can be seen by others on the machine. */
const keyId = (given: string): string => {
  if (given.includes('svc_live_'))
    throw new AppError(
      'INVALID_ARGUMENT',
      'give the id of the key (its 24 characters after svc_live_), never the key itself',
    );
  return given;
};

const describe = (key: KeyOut): string =>
  facts([
    ['key', key.id],
    ['publisher', key.publisherId],
    ['scopes', key.scopes.join(' ')],
    ['requests per minute', key.minuteLimit],
    ['ingests per day', key.dailyLimit],
    ['created', key.createdAt],
    ['revoked', key.revokedAt],
  ]);

const issued = ({ key, secretKey }: IssuedKeyOut): Answer => ({
  json: { key, secretKey },
  text: `${key ? describe(key) : ''}\n\n${secretKey}\n\nThis is the only time that the whole key is shown.`,
});

const changed = (key: KeyOut): Answer => ({ json: key, text: describe(key) });

/** A key that is in force, for dry runs. NOT_FOUND or FAILED_PRECONDITION as the verb itself would end. */
const findActiveKey = async (session: Session, id: string): Promise<KeyOut> => {
  const { publishers } = await session.keys().ListPublishers({});
  for (const publisher of publishers) {
    const { keys } = await session.keys().ListKeys({ publisherId: publisher.id });
    const found = keys.find((key) => key.id === id);
    if (found?.revokedAt !== undefined) throw new AppError('FAILED_PRECONDITION', `key ${id} is revoked`);
    if (found) return found;
  }
  throw notFound(`key ${id}`);
};

const issue = async (
  session: Session,
  publisherId: string,
  { scopes, minuteLimit, dailyLimit, dryRun: dry }: Issue,
) => {
  if (dry) {
    const { name } = await findPublisher(session, publisherId);
    return would(`issue a key with ${scopes.join(' and ')} to '${name}' (${publisherId})`);
  }
  return issued(
    await session.keys().IssueKey({
      publisherId,
      scopes: [...scopes],
      ...(minuteLimit !== undefined && { minuteLimit }),
      ...(dailyLimit !== undefined && { dailyLimit }),
    }),
  );
};

const setLimits = async (session: Session, id: string, { minuteLimit, dailyLimit, dryRun: dry }: Limits) => {
  if (minuteLimit === undefined && dailyLimit === undefined)
    throw new AppError('INVALID_ARGUMENT', 'give --minute-limit, --daily-limit, or both');
  if (dry) {
    const now = await findActiveKey(session, id);
    const [minute, day] = [minuteLimit ?? now.minuteLimit, dailyLimit ?? now.dailyLimit];
    return would(
      `change the limits of key ${id} from ${now.minuteLimit} and ${now.dailyLimit} to ${minute} and ${day}`,
    );
  }
  return changed(
    await session.keys().SetLimits({
      keyId: id,
      ...(minuteLimit !== undefined && { minuteLimit }),
      ...(dailyLimit !== undefined && { dailyLimit }),
    }),
  );
};

const listKeys = async (session: Session, publisherId: string): Promise<Answer> => {
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
};

const withLimits = (command: Command): Command =>
  command
    .option('--minute-limit <requests>', 'requests per minute', count)
    .option('--daily-limit <ingests>', 'ingest requests per day', count)
    .addOption(dryRun());

const addIssuing = (key: Command, surroundings: Surroundings): void => {
  withLimits(key.command('issue'))
    .description('make a key; the whole key is shown this one time')
    .argument('<publisher id>')
    .option('--scopes <list>', 'what the key may do, between commas', list, BOTH)
    .action(act<Issue>(surroundings, (session, options, publisherId = '') => issue(session, publisherId, options)));
  key
    .command('rotate')
    .description('make a new key with the same settings and revoke this one the same moment')
    .argument('<key id>')
    .addOption(dryRun())
    .action(
      act<Dry>(surroundings, async (session, { dryRun: dry }, id = '') => {
        if (!dry) return issued(await session.keys().RotateKey({ keyId: keyId(id) }));
        return would(`replace key ${(await findActiveKey(session, keyId(id))).id} and revoke it at once`);
      }),
    );
};

/** Adds the verbs to the program. */
export const addKeyVerbs = (program: Command, surroundings: Surroundings): void => {
  const key = program.command('key').description('API keys');
  addIssuing(key, surroundings);
  key
    .command('revoke')
    .description('end a key at once')
    .argument('<key id>')
    .addOption(dryRun())
    .action(
      act<Dry>(surroundings, async (session, { dryRun: dry }, id = '') => {
        if (!dry) return changed(await session.keys().RevokeKey({ keyId: keyId(id) }));
        return would(`revoke key ${(await findActiveKey(session, keyId(id))).id} at once`);
      }),
    );
  key
    .command('list')
    .description('every key of a publisher, revoked ones too')
    .argument('<publisher id>')
    .action(act(surroundings, (session, _, publisherId = '') => listKeys(session, publisherId)));
  withLimits(key.command('limits'))
    .description('change how often a key may be used, from its next request on')
    .argument('<key id>')
    .action(act<Limits>(surroundings, (session, options, id = '') => setLimits(session, keyId(id), options)));
};

/** Adds the verb of the tokens' signing key. */
export const addSigningKeyVerbs = (program: Command, surroundings: Surroundings): void => {
  program
    .command('signing-key')
    .description('what playback tokens are signed with')
    .command('rotate')
    .description('publish the next signing key; it signs once every verifier can know it')
    .addOption(dryRun())
    .action(
      act<Dry>(surroundings, async (session, { dryRun: dry }) => {
        if (dry) return would('publish the next signing key');
        const next = await session.keys().RotateSigningKey({});
        const text = facts([
          ['signing key', next.kid],
          ['published', next.publishedAt],
          ['signs from', next.signsFrom],
        ]);
        return { json: next, text };
      }),
    );
};
