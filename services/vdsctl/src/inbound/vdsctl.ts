/** The command line of vdsctl: verbs, help, exit codes. */
import { Command, CommanderError } from 'commander';
import { AppError, messageOf, type ErrorCode } from '@vds/chassis/errors';
import { addressVariable, adminServices } from '../config.ts';
import { rejectWholeKeys } from '../domain/ids.ts';
import { addAnalyticsVerbs } from './analytics-verbs.ts';
import { addAuditVerb } from './audit-verbs.ts';
import { addCaptionVerbs } from './caption-verbs.ts';
import { addCompletionVerb } from './completion.ts';
import { addDeadLetterVerbs } from './dead-letter-verbs.ts';
import { addIndexVerbs } from './index-verbs.ts';
import { addJobVerbs } from './job-verbs.ts';
import { addSigningKeyVerbs } from './key-changes.ts';
import { addKeyVerbs } from './key-verbs.ts';
import { addMetadataVerbs } from './metadata-verbs.ts';
import { addOrganizationVerbs } from './organization-verbs.ts';
import { overview } from './overview.ts';
import { addPublisherVerbs } from './publisher-verbs.ts';
import { addReapplyVerb } from './reapply-verbs.ts';
import { addReconcileVerb } from './reconcile-verbs.ts';
import { addStaffVerbs } from './staff-verbs.ts';
import { addTokenVerbs } from './token-verbs.ts';
import { addUsageVerb } from './usage-verb.ts';
import { Differs, type CliIo } from './verb.ts';
import { addVideoVerbs } from './video-verbs.ts';

export const EXIT = { ok: 0, failure: 1, usage: 2, notFound: 3, differs: 4 } as const;
type Exit = (typeof EXIT)[keyof typeof EXIT];

const EPILOGUE = `
Environment: ${adminServices.map(addressVariable).join(', ')}
(admin addresses, such as dns:///127.0.0.1:7001; only those that a verb calls), VDSCTL_TOKEN (your own token of
'staff add', or the service token of vdsctl; or file:<path>), PLAYBACK_PUBLIC_URL (the address of playback, for printed
addresses), TLS_CA_FILE, TLS_CERT_FILE, TLS_KEY_FILE if the services use TLS. With a token of your own you are the actor.
Whole keys and tokens are printed once, by 'key issue', 'key rotate' and 'staff add', and are never arguments.
Exit codes: 0 done, 1 rejected, failed or unreachable, 2 wrong usage, 3 not found, 4 looked and found differences.
Answers are written to standard output, errors to standard error; with --json each is one JSON document.`;

/**
 * Runs one command line.
 * @param argv the arguments after the program's name
 * @returns the exit code
 */
export async function vdsctl(argv: readonly string[], io: CliIo): Promise<Exit> {
  const json = argv.includes('--json');
  const root = createProgram(io, json);
  addOrganizationVerbs(root, io);
  addPublisherVerbs(root, io);
  addKeyVerbs(root, io);
  addSigningKeyVerbs(root, io);
  addVideoVerbs(root, io);
  addCaptionVerbs(root, io);
  addMetadataVerbs(root, io);
  addAnalyticsVerbs(root, io);
  addUsageVerb(root, io);
  addIndexVerbs(root, io);
  addDeadLetterVerbs(root, io);
  addJobVerbs(root, io);
  addReconcileVerb(root, io);
  addReapplyVerb(root, io);
  addTokenVerbs(root, io);
  addStaffVerbs(root, io);
  addAuditVerb(root, io);
  addCompletionVerb(root, io);
  try {
    rejectWholeKeys(argv);
    const { operands, unknown } = root.parseOptions([...argv]);
    if (operands.length + unknown.length === 0) await overview(io, root.opts());
    else await root.parseAsync([...argv], { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    report(error, messageFor(error, root, argv), json, io);
    return exitOf(error);
  }
}

function createProgram({ out, err }: CliIo, json: boolean): Command {
  return new Command('vdsctl')
    .description(
      'Operates the Video Distribution Service: organizations, publishers, keys, videos, captions, search, playback tokens, audit.',
    )
    .option('--json', 'print JSON')
    .option('--env <file>', 'take the environment from a file of NAME=value lines')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => out(text.trimEnd()),
      writeErr: (text) => (json ? undefined : err(text.trimEnd())), // with --json the error document covers it
      outputError: () => undefined,
    })
    .exitOverride()
    .addHelpText('after', EPILOGUE);
}

function report(error: unknown, message: string, json: boolean, { err }: CliIo): void {
  const isHelp = error instanceof CommanderError && error.code.startsWith('commander.help');
  if (isHelp && (!json || error.code === 'commander.helpDisplayed')) return; // commander has printed it
  err(json ? JSON.stringify({ error: { code: codeOf(error), message } }) : `vdsctl: ${message}`);
}

function codeOf(error: unknown): ErrorCode {
  if (error instanceof CommanderError) return 'INVALID_ARGUMENT';
  return error instanceof AppError ? error.code : 'INTERNAL';
}

function messageFor(error: unknown, root: Command, argv: readonly string[]): string {
  const message = messageOf(error).replace(/^error: /, '');
  if (!(error instanceof CommanderError)) return message;
  if (error.code === 'commander.help') return `a verb is missing: ${verbsAt(root, argv)}`;
  return error.code === 'commander.unknownCommand' ? `${message}\n${verbsAt(root, argv)}` : message;
}

/** The verbs of the group that the arguments select. */
function verbsAt(root: Command, argv: readonly string[]): string {
  let at = root;
  for (const argument of argv) at = at.commands.find((command) => command.name() === argument) ?? at;
  const names = at.commands.map((command) => command.name()).join(', ');
  return `'${[...(at === root ? [] : ['vdsctl']), at.name()].join(' ')}' has the verbs ${names}`;
}

function exitOf(error: unknown): Exit {
  // --help is the only early exit without an error.
  if (error instanceof CommanderError) return error.code === 'commander.helpDisplayed' ? EXIT.ok : EXIT.usage;
  if (error instanceof Differs) return EXIT.differs;
  const exits: Partial<Record<ErrorCode, Exit>> = { NOT_FOUND: EXIT.notFound, INVALID_ARGUMENT: EXIT.usage };
  return (error instanceof AppError ? exits[error.code] : undefined) ?? EXIT.failure;
}
