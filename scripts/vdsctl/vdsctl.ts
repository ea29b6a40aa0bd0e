/** The operator's command: verbs over the admin doors of the services. */
import { Command, CommanderError } from 'commander';
import { AppError, messageOf, type ErrorCode } from '@vds/chassis/errors';
import { addAuditVerb } from './audit-verbs.ts';
import { addCaptionVerbs } from './caption-verbs.ts';
import { addIndexVerbs } from './index-verbs.ts';
import { addSigningKeyVerbs } from './key-changes.ts';
import { addKeyVerbs } from './key-verbs.ts';
import { refuseKeys } from './keys.ts';
import { addMetadataVerbs } from './metadata-verbs.ts';
import { addPublisherVerbs } from './publisher-verbs.ts';
import { addTokenVerbs } from './token-verbs.ts';
import type { Surroundings } from './verb.ts';
import { addVideoVerbs } from './video-verbs.ts';

export const EXIT = { ok: 0, failure: 1, usage: 2, notFound: 3 } as const;
type Exit = (typeof EXIT)[keyof typeof EXIT];

const EPILOGUE = `
Environment: VDSCTL_AUTH, VDSCTL_CATALOG, VDSCTL_CAPTIONS, VDSCTL_METADATA and VDSCTL_INDEXER (admin addresses, such as
dns:///127.0.0.1:7001; only those that a verb asks), VDSCTL_TOKEN (the staff's service token, or file:<path>),
TLS_CA_FILE, TLS_CERT_FILE, TLS_KEY_FILE where the house uses TLS.
Whole keys are printed once, by 'key issue' and 'key rotate', and are never arguments.
Exit codes: 0 done, 1 refused, failed or out of reach, 2 the call is wrong, 3 there is no such thing.
Answers are written to standard output, errors to standard error; with --json each is one JSON document.`;

/**
 * Runs one command line.
 * @param given the arguments after the program's name
 * @returns the exit code
 */
export async function vdsctl(given: readonly string[], surroundings: Surroundings): Promise<Exit> {
  const json = given.includes('--json');
  const root = program(surroundings, json);
  addPublisherVerbs(root, surroundings);
  addKeyVerbs(root, surroundings);
  addSigningKeyVerbs(root, surroundings);
  addVideoVerbs(root, surroundings);
  addCaptionVerbs(root, surroundings);
  addMetadataVerbs(root, surroundings);
  addIndexVerbs(root, surroundings);
  addTokenVerbs(root, surroundings);
  addAuditVerb(root, surroundings);
  try {
    refuseKeys(given);
    await root.parseAsync([...given], { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    report(error, sentenceOf(error, root, given), json, surroundings);
    return exitOf(error);
  }
}

function program({ out, err }: Surroundings, json: boolean): Command {
  return new Command('vdsctl')
    .description(
      "Operates a Video Distribution Service: publishers, keys, videos, captions, search, viewers' tokens, audit.",
    )
    .option('--json', 'answer in JSON')
    .option('--env <file>', 'take the environment from a file of NAME=value lines')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => out(text.trimEnd()),
      writeErr: (text) => (json ? undefined : err(text.trimEnd())), // help: in JSON, the error says it
      outputError: () => undefined,
    })
    .exitOverride()
    .addHelpText('after', EPILOGUE);
}

function report(error: unknown, message: string, json: boolean, { err }: Surroundings): void {
  const isHelp = error instanceof CommanderError && error.code.startsWith('commander.help');
  if (isHelp && (!json || error.code === 'commander.helpDisplayed')) return; // it is written already
  err(json ? JSON.stringify({ error: { code: codeOf(error), message } }) : `vdsctl: ${message}`);
}

function codeOf(error: unknown): ErrorCode {
  if (error instanceof CommanderError) return 'INVALID_ARGUMENT';
  return error instanceof AppError ? error.code : 'INTERNAL';
}

function sentenceOf(error: unknown, root: Command, given: readonly string[]): string {
  const message = messageOf(error).replace(/^error: /, '');
  if (!(error instanceof CommanderError)) return message;
  if (error.code === 'commander.help') return `say what to do: ${verbsAt(root, given)}`;
  return error.code === 'commander.unknownCommand' ? `${message}\n${verbsAt(root, given)}` : message;
}

/** The verbs of the group that the arguments lead to. */
function verbsAt(root: Command, given: readonly string[]): string {
  let at = root;
  for (const word of given) at = at.commands.find((command) => command.name() === word) ?? at;
  const names = at.commands.map((command) => command.name()).join(', ');
  return `'${[...(at === root ? [] : ['vdsctl']), at.name()].join(' ')}' knows ${names}`;
}

function exitOf(error: unknown): Exit {
  // Asking for help is the only way to end early without an error.
  if (error instanceof CommanderError) return error.code === 'commander.helpDisplayed' ? EXIT.ok : EXIT.usage;
  const exits: Partial<Record<ErrorCode, Exit>> = { NOT_FOUND: EXIT.notFound, INVALID_ARGUMENT: EXIT.usage };
  return (error instanceof AppError ? exits[error.code] : undefined) ?? EXIT.failure;
}
