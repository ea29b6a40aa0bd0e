/** `vdsctl captions export|replace|fix`: tracks as files, and their corrections. */
import { readFileSync, statSync } from 'node:fs';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { TracksOut } from '@vds/proto/generated/vds/captions/v1/Tracks.ts';
import { AppError } from '@vds/chassis/errors';
import { cueFile, formats, parseTime, timeOf, type Format } from '../domain/cue-files.ts';
import { bareVideoId } from '../domain/ids.ts';
import {
  withClients,
  withAuditOptions,
  auditFields,
  dryRunOutput,
  positiveInteger,
  type Output,
  type WriteOptions,
  type CliIo,
} from './verb.ts';

type ExportOptions = { readonly format: Format };
type ReplaceOptions = WriteOptions & { readonly file: string };
type FixOptions = WriteOptions & { readonly at?: number; readonly cue?: number; readonly text: string };

/** As the service takes them. */
const MAX_FILE_BYTES = 2 ** 20;
/** The service may have to ask its engines what it can translate. */
const CORRECTION_TIMEOUT_MS = 60_000;

/** Adds the verbs to `captions`. */
export function addCorrectionVerbs(captions: Command, io: CliIo): void {
  captions
    .command('export')
    .description('print a track as a file, which replace takes back')
    .argument('<video id>')
    .argument('<language>')
    .addOption(new Option('--format <format>', 'of the file').choices(formats).default('vtt'))
    .action(
      withClients<ExportOptions>(io, async (clients, { format }, id = '', language = '') => {
        const found = await clients.captions().ReadTrack({ videoId: bareVideoId(id), language });
        return { json: found, text: cueFile(found.cues, format) };
      }),
    );
  withAuditOptions(captions.command('replace'))
    .description('replace a track by a file; of the spoken language, its translations are made again')
    .argument('<video id>')
    .argument('<language>')
    .requiredOption('--file <path>', 'WebVTT or SubRip, at most 1 MiB, within the length of the video')
    .action(
      withClients<ReplaceOptions>(io, async (clients, { dryRun = false, file, ...by }, id = '', language = '') => {
        const request = { videoId: bareVideoId(id), language, file: read(file), validateOnly: dryRun };
        const found = await clients
          .captions()
          .CorrectTrack({ ...request, ...auditFields(io, by) }, { timeoutMs: CORRECTION_TIMEOUT_MS });
        return correctionOutput(found, language, `replace the track ${language}`, dryRun);
      }),
    );
  withAuditOptions(captions.command('fix'))
    .description('replace the text of one cue; of the spoken language, its translations are made again')
    .argument('<video id>')
    .argument('<language>')
    .option('--at <time>', 'the cue shown at this time, such as 00:01:02.500', timeArgument)
    .option('--cue <n>', 'the cue with this number', positiveInteger)
    .requiredOption('--text <text>', 'the whole text of the cue')
    .action(
      withClients<FixOptions>(io, async (clients, { dryRun = false, at, cue, text, ...by }, id = '', language = '') => {
        if ((at === undefined) === (cue === undefined))
          throw new AppError('INVALID_ARGUMENT', 'give the cue by --at <time> or by --cue <n>');
        const fix = { number: cue ?? 0, atMs: at ?? 0, text };
        const request = { videoId: bareVideoId(id), language, fix, validateOnly: dryRun };
        const found = await clients
          .captions()
          .CorrectTrack({ ...request, ...auditFields(io, by) }, { timeoutMs: CORRECTION_TIMEOUT_MS });
        const which = cue === undefined ? `shown at ${timeOf(at ?? 0)}` : cue;
        return correctionOutput(found, language, `fix the cue ${which} of ${language}`, dryRun);
      }),
    );
}

function correctionOutput(found: TracksOut, language: string, effect: string, dryRun: boolean): Output {
  if (dryRun) return dryRunOutput(`${effect} of ${found.videoId}`);
  return {
    json: found,
    text: `accepted; what viewers get follows: vdsctl captions show ${found.videoId} --language ${language}`,
  };
}

/** @throws AppError INVALID_ARGUMENT for what is no file of text */
function read(file: string): string {
  try {
    if (statSync(file).size <= MAX_FILE_BYTES)
      return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    throw new AppError('INVALID_ARGUMENT', `${file} cannot be read as UTF-8`, { cause: error });
  }
  throw new AppError('INVALID_ARGUMENT', `${file} is larger than ${MAX_FILE_BYTES} bytes`);
}

function timeArgument(argument: string): number {
  const ms = parseTime(argument);
  if (ms === undefined) throw new InvalidArgumentError('It must be a time such as 00:01:02.500.');
  return ms;
}
