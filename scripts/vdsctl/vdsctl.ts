/** The operator's command: verbs over the admin doors of the services. */
import { Command, CommanderError } from 'commander';
import { AppError, messageOf, type ErrorCode } from '@vds/shared/errors';
import { addCaptionVerbs } from './caption-verbs.ts';
import { addIndexVerbs } from './index-verbs.ts';
import { addKeyVerbs, addSigningKeyVerbs } from './key-verbs.ts';
import { addMetadataVerbs } from './metadata-verbs.ts';
import { addPublisherVerbs } from './publisher-verbs.ts';
import type { Surroundings } from './verb.ts';
import { addTokenVerbs, addVideoVerbs } from './video-verbs.ts';

export const EXIT = { ok: 0, failure: 1, usage: 2, notFound: 3 } as const;
type Exit = (typeof EXIT)[keyof typeof EXIT];

const EPILOGUE = `
Environment: VDSCTL_AUTH, VDSCTL_CATALOG, VDSCTL_CAPTIONS, VDSCTL_METADATA and VDSCTL_INDEXER (admin addresses, such as
dns:///127.0.0.1:7001; only those that a verb asks), VDSCTL_TOKEN (the staff's service token, or file:<path>),
TLS_CA_FILE, TLS_CERT_FILE, TLS_KEY_FILE where the house uses TLS.
Exit codes: 0 done, 1 failed, 2 the call is wrong, 3 there is no such thing.`;

const exitOf = (error: unknown): Exit => {
  // Asking for help is the only way to end early without an error.
  if (error instanceof CommanderError) return error.code === 'commander.helpDisplayed' ? EXIT.ok : EXIT.usage;
  const exits: Partial<Record<ErrorCode, Exit>> = { NOT_FOUND: EXIT.notFound, INVALID_ARGUMENT: EXIT.usage };
  return (error instanceof AppError ? exits[error.code] : undefined) ?? EXIT.failure;
};

const program = ({ out, err }: Surroundings): Command =>
  new Command('vdsctl')
    .description("Operates a Video Distribution Service: publishers, keys, videos, captions, search, viewers' tokens.")
    .option('--json', 'answer in JSON')
    .option('--env <file>', 'take the environment from a file of NAME=value lines')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => out(text.trimEnd()),
      writeErr: (text) => err(text.trimEnd()),
      outputError: () => undefined,
    })
    .exitOverride()
    .addHelpText('after', EPILOGUE);

const codeOf = (error: unknown): ErrorCode => {
  if (error instanceof CommanderError) return 'INVALID_ARGUMENT';
  return error instanceof AppError ? error.code : 'INTERNAL';
};

const report = (error: unknown, json: boolean, { err }: Surroundings): void => {
  if (error instanceof CommanderError && error.code.startsWith('commander.help')) return; // the help is written already
  const message = messageOf(error).replace(/^error: /, '');
  err(json ? JSON.stringify({ error: { code: codeOf(error), message } }) : `vdsctl: ${message}`);
};

/**
 * Runs one command line.
 * @param given the arguments after the program's name
 * @returns the exit code
 */
export const vdsctl = async (given: readonly string[], surroundings: Surroundings): Promise<Exit> => {
  const root = program(surroundings);
  addPublisherVerbs(root, surroundings);
  addKeyVerbs(root, surroundings);
  addSigningKeyVerbs(root, surroundings);
  addVideoVerbs(root, surroundings);
  addCaptionVerbs(root, surroundings);
  addMetadataVerbs(root, surroundings);
  addIndexVerbs(root, surroundings);
  addTokenVerbs(root, surroundings);
  try {
    await root.parseAsync([...given], { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    report(error, given.includes('--json'), surroundings);
    return exitOf(error);
  }
};
