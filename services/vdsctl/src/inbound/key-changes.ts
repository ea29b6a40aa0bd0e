/** `vdsctl key issue | rotate | revoke | limits` and `vdsctl signing-key rotate`. */
import type { Command } from 'commander';
import type { IssuedKeyOut } from '@vds/proto/generated/vds/auth/v1/IssuedKey.ts';
import type { KeyOut } from '@vds/proto/generated/vds/auth/v1/Key.ts';
import { AppError } from '@vds/chassis/errors';
import { keyId } from '../domain/ids.ts';
import type { AdminClients } from '../outbound/admin-clients.ts';
import { facts, tableWithNotes } from './output.ts';
import {
  withClients,
  withAuditOptions,
  positiveInteger,
  auditFields,
  dryRunOutput,
  type Output,
  type WriteOptions,
  type CliIo,
} from './verb.ts';

const DEFAULT_SCOPES = ['videos:read', 'videos:write'];

type Limits = { readonly minuteLimit?: number; readonly dailyLimit?: number };
type AuditFields = { readonly actor: string; readonly reason: string };

/** Adds the verbs that change keys. */
export function addKeyChanges(key: Command, io: CliIo): void {
  type Issue = WriteOptions & Limits & { readonly scopes: string[]; readonly label: string };
  withLimits(withAuditOptions(key.command('issue')))
    .description('issue a key; the whole key is printed only this once')
    .argument('<publisher id>')
    .option('--scopes <list>', 'comma-separated scopes of the key', parseScopes, DEFAULT_SCOPES)
    .option('--label <text>', 'what the key is for, such as "studio importer"', '')
    .action(
      withClients<Issue>(io, async (clients, { scopes, label, dryRun, ...rest }, publisherId = '') => {
        const request = { publisherId, scopes, label, ...limitsOf(rest), ...auditFields(io, rest) };
        return issue(clients, request, dryRun === true);
      }),
    );
  const change = (name: string, run: typeof rotate): Command =>
    withAuditOptions(key.command(name))
      .argument('<key id>')
      .action(
        withClients<WriteOptions>(io, async (clients, { dryRun, ...audit }, id = '') =>
          run(clients, { keyId: keyId(id), ...auditFields(io, audit) }, dryRun === true),
        ),
      );
  change('rotate', rotate).description(
    'issue a new key with the same settings and revoke this one at the same instant',
  );
  change('revoke', revoke).description('revoke a key immediately');
  withLimits(withAuditOptions(key.command('limits')))
    .description('change the rate limits of a key, effective from its next request')
    .argument('<key id>')
    .action(
      withClients<WriteOptions & Limits>(io, async (clients, { dryRun, ...rest }, id = '') => {
        const request = { keyId: keyId(id), ...limitsOf(rest), ...auditFields(io, rest) };
        return setLimits(clients, request, dryRun === true);
      }),
    );
}

export function describeKey(key: KeyOut): string {
  return facts([
    ['key', key.id],
    ['label', key.label === '' ? undefined : key.label],
    ['publisher', key.publisherId],
    ['scopes', key.scopes.join(' ')],
    ['requests per minute', key.minuteLimit],
    ['ingests per day', key.dailyLimit],
    ['day budget', key.budgetId],
    ['created', key.createdAt],
    ['revoked', key.revokedAt],
  ]);
}

/** Keys with their limits; `more` adds to the note of each. */
export function keyTable<K extends KeyOut>(keys: readonly K[], more: (key: K) => readonly string[] = () => []): string {
  const rows = keys.map((key) => ({
    cells: [key.id, key.scopes.join(' '), String(key.minuteLimit), String(key.dailyLimit)],
    note: [
      ...(key.label === '' ? [] : [key.label]),
      ...more(key),
      `created ${key.createdAt}`,
      ...(key.revokedAt === undefined ? [] : [`revoked ${key.revokedAt}`]),
    ].join(' · '),
  }));
  return tableWithNotes(['key', 'scopes', 'per minute', 'per day'], rows, 'This publisher has no keys yet.');
}

function withLimits(command: Command): Command {
  return command
    .option('--minute-limit <requests>', 'requests per minute', positiveInteger)
    .option('--daily-limit <ingests>', 'ingest requests per day', positiveInteger);
}

function parseScopes(argument: string): string[] {
  return argument.split(',').map((item) => item.trim());
}

function limitsOf({ minuteLimit, dailyLimit }: Limits): Limits {
  return {
    ...(minuteLimit !== undefined && { minuteLimit }),
    ...(dailyLimit !== undefined && { dailyLimit }),
  };
}

async function issue(
  clients: AdminClients,
  request: Limits & AuditFields & { readonly publisherId: string; readonly scopes: string[]; readonly label: string },
  dryRun: boolean,
): Promise<Output> {
  if (!dryRun) return issuedKeyOutput(await clients.keys().IssueKey(request));
  const { became } = await clients.keys().PreviewChange({ issueKey: request });
  return dryRunOutput(`issue a key to ${request.publisherId}: ${became}`, { became });
}

function issuedKeyOutput({ key, secretKey }: IssuedKeyOut): Output {
  return {
    json: { key, secretKey },
    text: `${key ? describeKey(key) : ''}\n\n${secretKey}\n\nThe whole key is not shown again.`,
  };
}

async function rotate(
  clients: AdminClients,
  request: AuditFields & { readonly keyId: string },
  dryRun: boolean,
): Promise<Output> {
  if (!dryRun) return issuedKeyOutput(await clients.keys().RotateKey(request));
  const { was, became } = await clients.keys().PreviewChange({ rotateKey: request });
  return dryRunOutput(`replace key ${request.keyId} and revoke it at once`, { was, became });
}

async function revoke(
  clients: AdminClients,
  request: AuditFields & { readonly keyId: string },
  dryRun: boolean,
): Promise<Output> {
  if (!dryRun) return keyOutput(await clients.keys().RevokeKey(request));
  const { was, became } = await clients.keys().PreviewChange({ revokeKey: request });
  const noChange = `change nothing: key ${request.keyId} is ${was}`;
  return dryRunOutput(was === became ? noChange : `revoke key ${request.keyId} at once`, { was, became });
}

function keyOutput(key: KeyOut): Output {
  return { json: key, text: describeKey(key) };
}

async function setLimits(
  clients: AdminClients,
  request: Limits & AuditFields & { readonly keyId: string },
  dryRun: boolean,
): Promise<Output> {
  if (request.minuteLimit === undefined && request.dailyLimit === undefined)
    throw new AppError('INVALID_ARGUMENT', 'give --minute-limit, --daily-limit, or both');
  if (!dryRun) return keyOutput(await clients.keys().SetLimits(request));
  const { was, became } = await clients.keys().PreviewChange({ setLimits: request });
  return dryRunOutput(`change the limits of key ${request.keyId} from ${was} to ${became}`, { was, became });
}

/** Adds `vdsctl signing-key rotate`. */
export function addSigningKeyVerbs(program: Command, io: CliIo): void {
  const signingKey = program.command('signing-key').description('the key that signs playback tokens');
  withAuditOptions(signingKey.command('rotate'))
    .description('publish the next signing key; it signs once every verifier has fetched it')
    .action(
      withClients<WriteOptions>(io, async (clients, { dryRun, ...audit }) => {
        const request = auditFields(io, audit);
        if (dryRun) {
          const { was, became } = await clients.keys().PreviewChange({ rotateSigningKey: request });
          return dryRunOutput(`publish the next signing key, which ${became}`, { was, became });
        }
        const next = await clients.keys().RotateSigningKey(request);
        const text = facts([
          ['signing key', next.kid],
          ['published', next.publishedAt],
          ['signs from', next.signsFrom],
        ]);
        return { json: next, text };
      }),
    );
}
