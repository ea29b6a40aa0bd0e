/** `vdsctl key issue | rotate | revoke | limits` and `vdsctl signing-key rotate`. */
import type { Command } from 'commander';
import type { IssuedKeyOut } from '@vds/proto/generated/vds/auth/v1/IssuedKey.ts';
import type { KeyOut } from '@vds/proto/generated/vds/auth/v1/Key.ts';
import { AppError } from '@vds/chassis/errors';
import { describeKey, keyId } from './keys.ts';
import { facts } from './output.ts';
import type { Session } from './session.ts';
import { act, asDeed, count, whoAsks, would, type Answer, type Deed, type Surroundings } from './verb.ts';

const BOTH = ['videos:read', 'videos:write'];

type Limits = { readonly minuteLimit?: number; readonly dailyLimit?: number };
type Who = { readonly actor: string; readonly reason: string };

/** Adds the verbs that change keys. */
export function addKeyChanges(key: Command, surroundings: Surroundings): void {
  type Issue = Deed & Limits & { readonly scopes: string[] };
  withLimits(asDeed(key.command('issue')))
    .description('make a key; the whole key is shown this one time')
    .argument('<publisher id>')
    .option('--scopes <list>', 'what the key may do, between commas', list, BOTH)
    .action(
      act<Issue>(surroundings, async (session, { scopes, dryRun, ...rest }, publisherId = '') => {
        const request = { publisherId, scopes, ...given(rest), ...whoAsks(surroundings, rest) };
        return issue(session, request, dryRun === true);
      }),
    );
  const change = (name: string, work: typeof rotate): Command =>
    asDeed(key.command(name))
      .argument('<key id>')
      .action(
        act<Deed>(surroundings, async (session, { dryRun, ...why }, id = '') =>
          work(session, { keyId: keyId(id), ...whoAsks(surroundings, why) }, dryRun === true),
        ),
      );
  change('rotate', rotate).description('make a new key with the same settings and revoke this one the same moment');
  change('revoke', revoke).description('end a key at once');
  withLimits(asDeed(key.command('limits')))
    .description('change how often a key may be used, from its next request on')
    .argument('<key id>')
    .action(
      act<Deed & Limits>(surroundings, async (session, { dryRun, ...rest }, id = '') => {
        const request = { keyId: keyId(id), ...given(rest), ...whoAsks(surroundings, rest) };
        return setLimits(session, request, dryRun === true);
      }),
    );
}

function withLimits(command: Command): Command {
  return command
    .option('--minute-limit <requests>', 'requests per minute', count)
    .option('--daily-limit <ingests>', 'ingest requests per day', count);
}

function list(given: string): string[] {
  return given.split(',').map((item) => item.trim());
}

function given({ minuteLimit, dailyLimit }: Limits): Limits {
  return {
    ...(minuteLimit !== undefined && { minuteLimit }),
    ...(dailyLimit !== undefined && { dailyLimit }),
  };
}

async function issue(
  session: Session,
  request: Limits & Who & { readonly publisherId: string; readonly scopes: string[] },
  dry: boolean,
): Promise<Answer> {
  if (!dry) return issued(await session.keys().IssueKey(request));
  const { became } = await session.keys().PreviewChange({ issueKey: request });
  return would(`issue a key to ${request.publisherId}: ${became}`, { became });
}

function issued({ key, secretKey }: IssuedKeyOut): Answer {
  return {
    json: { key, secretKey },
    text: `${key ? describeKey(key) : ''}\n\n${secretKey}\n\nThis is the only time that the whole key is shown.`,
  };
}

async function rotate(session: Session, request: Who & { readonly keyId: string }, dry: boolean): Promise<Answer> {
  if (!dry) return issued(await session.keys().RotateKey(request));
  const { was, became } = await session.keys().PreviewChange({ rotateKey: request });
  return would(`replace key ${request.keyId} and revoke it at once`, { was, became });
}

async function revoke(session: Session, request: Who & { readonly keyId: string }, dry: boolean): Promise<Answer> {
  if (!dry) return changed(await session.keys().RevokeKey(request));
  const { was, became } = await session.keys().PreviewChange({ revokeKey: request });
  const nothing = `change nothing: key ${request.keyId} is ${was}`;
  return would(was === became ? nothing : `revoke key ${request.keyId} at once`, { was, became });
}

function changed(key: KeyOut): Answer {
  return { json: key, text: describeKey(key) };
}

async function setLimits(
  session: Session,
  request: Limits & Who & { readonly keyId: string },
  dry: boolean,
): Promise<Answer> {
  if (request.minuteLimit === undefined && request.dailyLimit === undefined)
    throw new AppError('INVALID_ARGUMENT', 'give --minute-limit, --daily-limit, or both');
  if (!dry) return changed(await session.keys().SetLimits(request));
  const { was, became } = await session.keys().PreviewChange({ setLimits: request });
  return would(`change the limits of key ${request.keyId} from ${was} to ${became}`, { was, became });
}

/** Adds the verb of the tokens' signing key. */
export function addSigningKeyVerbs(program: Command, surroundings: Surroundings): void {
  const signing = program.command('signing-key').description('what playback tokens are signed with');
  asDeed(signing.command('rotate'))
    .description('publish the next signing key; it signs once every verifier can know it')
    .action(
      act<Deed>(surroundings, async (session, { dryRun, ...why }) => {
        const request = whoAsks(surroundings, why);
        if (dryRun) {
          const { was, became } = await session.keys().PreviewChange({ rotateSigningKey: request });
          return would(`publish the next signing key, which ${became}`, { was, became });
        }
        const next = await session.keys().RotateSigningKey(request);
        const text = facts([
          ['signing key', next.kid],
          ['published', next.publishedAt],
          ['signs from', next.signsFrom],
        ]);
        return { json: next, text };
      }),
    );
}
