/** What every verb has in common: its options, its session, how it answers. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { AppError } from '@vds/chassis/errors';
import { jsonText, toSnakeCase } from './output.ts';
import { openSession, type Environment, type Session } from './session.ts';

/** Where vdsctl runs. */
export type Surroundings = {
  readonly environment: Environment;
  /** Writes to standard output. */
  readonly out: (text: string) => void;
  /** Writes to standard error. */
  readonly err: (text: string) => void;
};

export type Answer = {
  /** For `--json`. */
  readonly json: unknown;
  /** For people. */
  readonly text: string;
  /** Added to the JSON as it is: documents whose names are not ours. */
  readonly raw?: Readonly<Record<string, unknown>>;
};

export type Why = { readonly actor?: string; readonly reason?: string };

export type CommonOptions = { readonly json?: true; readonly env?: string };

/** A verb's options and its positional arguments. */
type Work<O> = (session: Session, options: O, ...given: string[]) => Promise<Answer>;

const unreadable = /\p{Cc}/u;

export type Dry = { readonly dryRun?: true };

/** What a verb is told that changes something in the house's name. */
export type Deed = Why & Dry;

/** The most lines that a list is asked for. */
const LONGEST_LIST = 10_000;

type Page<R> = { readonly rows: readonly R[]; readonly nextCursor: string };

/** Turns a verb into commander's action: opens a session, prints the answer, closes the session. */
export function act<O extends object>({ environment, out }: Surroundings, work: Work<O>) {
  return async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    const options = command.optsWithGlobals<O & CommonOptions>();
    const session = openSession(environment, options.env);
    try {
      const answer = await work(session, options, ...(given.slice(0, -2) as string[]));
      const json = () => jsonText({ ...(toSnakeCase(answer.json) as object), ...answer.raw });
      out(options.json ? json() : answer.text);
    } finally {
      await session.close();
    }
  };
}

/** Video ids are bare inside the house; partners know them with `vid_`. */
export function bare(id: string): string {
  return id.replace(/^vid_/, '');
}

/** Who asks and why. INVALID_ARGUMENT where nobody is named, or the reason is none. */
export function whoAsks({ environment }: Surroundings, { actor, reason }: Why) {
  const who = (actor ?? environment['USER'])?.trim();
  if (!who) throw new AppError('INVALID_ARGUMENT', 'say who asks: --actor <name>, or the variable USER');
  if (reason?.trim() === '') throw new AppError('INVALID_ARGUMENT', 'say why: --reason <text>');
  if (unreadable.test(`${who}${reason ?? ''}`))
    throw new AppError('INVALID_ARGUMENT', 'actor and reason are one line each, without control characters');
  return { actor: who, reason: reason?.trim() ?? '' };
}

/** Adds the options of such a verb: who asks, why (required), and whether it is only tried. */
export function asDeed(command: Command): Command {
  return command
    .option('--actor <name>', 'who asks (default: the variable USER)')
    .requiredOption('--reason <text>', 'why; kept with what was done')
    .addOption(dryRun());
}

/** Of every verb that writes. */
export function dryRun(): Option {
  return new Option('--dry-run', 'only check and say what would be done');
}

/** What a dry run answers. */
export function would(done: string, more: Readonly<Record<string, unknown>> = {}): Answer {
  return {
    json: { dryRun: true, would: done, ...more },
    text: `would ${done}`,
  };
}

/** Adds the option that bounds a list. */
export function withLimit(command: Command): Command {
  return command.option(
    '--limit <n>',
    `how many at most, up to ${LONGEST_LIST}`,
    (given: string) => {
      const number = count(given);
      if (number > LONGEST_LIST) throw new InvalidArgumentError(`It must be at most ${LONGEST_LIST}.`);
      return number;
    },
    50,
  );
}

/** Reads a whole number that is at least 1. */
export function count(given: string): number {
  const number = Number(given);
  if (!/^\d+$/.test(given) || !Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('It must be a whole number from 1.');
  return number;
}

/** Rows of as many pages as it takes, `limit` at most; `more`: there are others. */
export async function collectPages<R>(
  limit: number,
  page: (asked: { readonly pageSize: number; readonly cursor: string }) => Promise<Page<R>>,
): Promise<{ readonly rows: readonly R[]; readonly more: boolean }> {
  const rows: R[] = [];
  let cursor = '';
  do {
    const next = await page({ pageSize: Math.min(200, limit - rows.length), cursor });
    rows.push(...next.rows);
    cursor = next.nextCursor;
  } while (cursor !== '' && rows.length < limit);
  return { rows, more: cursor !== '' };
}
