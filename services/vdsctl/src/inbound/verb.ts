/** What every verb has in common: its options, its clients, its output. */
import { setTimeout as pause } from 'node:timers/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { AppError } from '@vds/chassis/errors';
import { readConnectionConfig, type Environment } from '../config.ts';
import { createAdminClients, type AdminClients } from '../outbound/admin-clients.ts';
import { isPersonal, signIn } from '../outbound/sign-in.ts';
import { jsonText, toSnakeCase } from './output.ts';

/** The environment and the streams of one command line; tests pass their own. */
export type CliIo = {
  readonly environment: Environment;
  /** Writes to standard output. */
  readonly out: (text: string) => void;
  /** Writes to standard error. */
  readonly err: (text: string) => void;
  /** Whether standard output is a terminal, whose screen may be cleared; no by default. */
  readonly isTerminal?: boolean;
  /** What spans of time are reckoned from; the clock of this machine by default. */
  readonly now?: () => Date;
  /** Milliseconds between the screens of `--watch`; 2 s by default. */
  readonly watchEveryMs?: number;
};

export type Output = {
  /** For `--json`. */
  readonly json: unknown;
  /** For people. */
  readonly text: string;
  /** Added to the JSON unchanged: documents with field names of their own. */
  readonly raw?: Readonly<Record<string, unknown>>;
  /** Printed as an error after the rest: what was asked for was done, and something is not as it should be. */
  readonly failure?: string;
  /** The failure is what it was asked to look for: the exit code tells it from one that could not look. */
  readonly differs?: boolean;
  /** False: it may still change by itself, so that `--watch` continues. */
  readonly settled?: boolean;
};

/** What was looked for was found. */
export class Differs extends AppError {}

/** Who changes something and why, for the audit. */
export type AuditOptions = { readonly actor?: string; readonly reason?: string };
export type DryRunOption = { readonly dryRun?: true };
/** The options of every verb that changes something under the operator's name. */
export type WriteOptions = AuditOptions & DryRunOption;
export type CommonOptions = { readonly json?: true; readonly env?: string; readonly watch?: true };

/** Receives the verb's options and its positional arguments. */
type Run<O> = (clients: AdminClients, options: O, ...args: string[]) => Promise<Output>;
type Page<R> = { readonly rows: readonly R[]; readonly nextCursor: string };

const CONTROL_CHARACTER = /\p{Cc}/u;
const MAX_LIMIT = 10_000;
/** ECMA-48: erases the screen, and begins at its top. */
const CLEAR_SCREEN = '\u001b[2J\u001b[H';

/** The action of a verb: creates the clients, prints the reply, again and again with `--watch`, closes the clients. */
export function withClients<O extends object>(io: CliIo, run: Run<O>) {
  return async (...args: unknown[]): Promise<void> => {
    const command = args.at(-1) as Command;
    const options = command.optsWithGlobals<O & CommonOptions>();
    const clients = createAdminClients(await signIn(readConnectionConfig(io.environment, options.env)));
    try {
      for (;;) {
        const output = await run(clients, options, ...(args.slice(0, -2) as string[]));
        print(io, options, output);
        if (!options.watch || output.settled !== false) return;
        await pause(io.watchEveryMs ?? 2_000);
      }
    } finally {
      await clients.close();
    }
  };
}

/** @throws AppError FAILED_PRECONDITION with the output's failure, after the rest is printed */
function print({ out, isTerminal = false }: CliIo, options: CommonOptions, output: Output): void {
  const screen = options.watch && isTerminal && !options.json ? CLEAR_SCREEN : '';
  const json = () => jsonText({ ...(toSnakeCase(output.json) as object), ...output.raw });
  out(options.json ? json() : screen + output.text);
  if (output.failure === undefined) return;
  throw new (output.differs ? Differs : AppError)('FAILED_PRECONDITION', output.failure);
}

/** Adds `--watch`. */
export function withWatch(command: Command): Command {
  return command.option('--watch', 'print again every 2 seconds until nothing is left to wait for; Ctrl-C ends it');
}

/** The time that spans are reckoned from. */
export function nowOf({ now }: CliIo): Date {
  return now?.() ?? new Date();
}

/** Actor and reason as requests carry them. INVALID_ARGUMENT without an actor, or with an empty reason. */
export function auditFields({ environment }: CliIo, { actor, reason }: AuditOptions) {
  const who = (actor ?? environment['USER'])?.trim();
  // A person's own token names them.
  if (!who && isPersonal(environment['VDSCTL_TOKEN'] ?? '')) return { actor: '', reason: reason?.trim() ?? '' };
  if (!who) throw new AppError('INVALID_ARGUMENT', 'an actor is required: --actor <name>, or the variable USER');
  if (reason?.trim() === '') throw new AppError('INVALID_ARGUMENT', 'a reason is required: --reason <text>');
  if (CONTROL_CHARACTER.test(`${who}${reason ?? ''}`))
    throw new AppError('INVALID_ARGUMENT', 'actor and reason are one line each, without control characters');
  return { actor: who, reason: reason?.trim() ?? '' };
}

/** Adds `--actor`, `--reason` (required) and `--dry-run`. */
export function withAuditOptions(command: Command): Command {
  return command
    .option('--actor <name>', 'who makes the change (default: the variable USER; with a token of your own it is you)')
    .requiredOption('--reason <text>', 'why; recorded in the audit')
    .addOption(dryRunOption());
}

export function dryRunOption(): Option {
  return new Option('--dry-run', 'validate and print what would be done, without doing it');
}

/** The output of a dry run. */
export function dryRunOutput(effect: string, more: Readonly<Record<string, unknown>> = {}): Output {
  return {
    json: { dryRun: true, would: effect, ...more },
    text: `would ${effect}`,
  };
}

/** Adds the option that bounds a list. */
export function withLimit(command: Command): Command {
  return command.option(
    '--limit <n>',
    `how many at most, up to ${MAX_LIMIT}`,
    (argument: string) => {
      const limit = positiveInteger(argument);
      if (limit > MAX_LIMIT) throw new InvalidArgumentError(`It must be at most ${MAX_LIMIT}.`);
      return limit;
    },
    50,
  );
}

/** Parses a whole number that is at least 1. */
export function positiveInteger(argument: string): number {
  const number = Number(argument);
  if (!/^\d+$/.test(argument) || !Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('It must be a whole number from 1.');
  return number;
}

/** Fetches pages until `limit` rows are there; `more`: others exist. */
export async function collectPages<R>(
  limit: number,
  fetchPage: (request: { readonly pageSize: number; readonly cursor: string }) => Promise<Page<R>>,
): Promise<{ readonly rows: readonly R[]; readonly more: boolean }> {
  const rows: R[] = [];
  let cursor = '';
  do {
    const page = await fetchPage({ pageSize: Math.min(200, limit - rows.length), cursor });
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== '' && rows.length < limit);
  return { rows, more: cursor !== '' };
}
