/** `vdsctl captions …` and `vdsctl languages`: the tracks of a video, and the languages of the engines. */
import type { Command } from 'commander';
import type { LanguagesOut } from '@vds/proto/generated/vds/captions/v1/Languages.ts';
import type { TrackCuesOut } from '@vds/proto/generated/vds/captions/v1/TrackCues.ts';
import type { TracksOut } from '@vds/proto/generated/vds/captions/v1/Tracks.ts';
import { AppError } from '@vds/chassis/errors';
import { bareVideoId } from '../domain/ids.ts';
import { timeOf } from '../domain/cue-files.ts';
import { addCorrectionVerbs } from './correction-verbs.ts';
import { facts, table } from './output.ts';
import {
  withClients,
  withAuditOptions,
  auditFields,
  dryRunOutput,
  type Output,
  type WriteOptions,
  type CliIo,
} from './verb.ts';

type ShowOptions = { readonly language?: string };
type RerunOptions = WriteOptions & { readonly language: readonly string[]; readonly overwriteCorrected?: true };
type LanguageOptions = { readonly refresh?: true };

const BY_SPEECH = 'the first step is from what is spoken to English, made of the sound by the speech engine';

/** Adds the verbs to the program. */
export function addCaptionVerbs(program: Command, io: CliIo): void {
  const captions = program.command('captions').description('caption tracks of a video');
  captions
    .command('show')
    .description('every track with its status, reason and translation path, or the cues of one')
    .argument('<video id>')
    .option('--language <tag>', 'the cues of this track')
    .action(
      withClients<ShowOptions>(io, async (clients, { language }, id = '') => {
        const videoId = bareVideoId(id);
        if (language === undefined) return tracksOutput(await clients.tracks().GetTracks({ videoId }));
        return cuesOutput(await clients.captions().ReadTrack({ videoId, language }));
      }),
    );
  addRerunVerb(captions, io);
  addCorrectionVerbs(captions, io);
  program
    .command('languages')
    .description('how many targets each spoken language is translated into, or the translation paths from one')
    .argument('[spoken language]')
    .option('--refresh', 'query the engines again instead of using the cached result')
    .action(
      withClients<LanguageOptions>(io, async (clients, { refresh = false }, spoken) =>
        languagesOutput(await clients.captions().ListLanguages({ refresh }, { timeoutMs: 60_000 }), spoken),
      ),
    );
}

function addRerunVerb(captions: Command, io: CliIo): void {
  withAuditOptions(captions.command('rerun'))
    .description('generate failed and skipped tracks again, with the current engines; corrected tracks stay')
    .argument('<video id>')
    .option('--language <tag>', 'only this track; repeatable', collect, [])
    .option('--overwrite-corrected', 'generate corrected tracks again too')
    .action(
      withClients<RerunOptions>(io, async (clients, options, id = '') => {
        const { dryRun, language, overwriteCorrected = false, ...by } = options;
        const videoId = bareVideoId(id);
        const request = { videoId, languages: [...language], overwriteCorrected, ...auditFields(io, by) };
        if (dryRun) return previewRerun(await clients.tracks().GetTracks({ videoId }), request);
        return tracksOutput(await clients.captions().RerunTracks(request));
      }),
    );
}

function tracksOutput(found: TracksOut): Output {
  const head = facts([
    ['video', found.videoId],
    ['attempt', found.attempt],
    ['revision', found.state?.revision],
    ['transcript', found.state?.transcriptRevision === 0 ? '–' : found.state?.transcriptRevision],
    ['updated', found.updatedAt],
  ]);
  const rows = (found.state?.tracks ?? []).map(({ language, kind, status, reason, path, correctedBy, name }) => [
    language,
    kind,
    status,
    reason ?? (correctedBy === '' ? '–' : `corrected by ${correctedBy}`),
    path.join(' → ') || '–',
    name,
  ]);
  const titles = ['language', 'kind', 'status', 'reason', 'path', 'name'];
  return { json: found, text: `${head}\n\n${table(titles, rows, 'There are no tracks yet.')}` };
}

function cuesOutput(found: TrackCuesOut): Output {
  const { track, cues } = found;
  const head = facts([
    ['video', found.videoId],
    ['language', track?.language],
    ['kind', track?.provided ? `${track.kind}, provided` : track?.kind],
    ['corrected by', track?.correctedBy || '–'],
    ['revision', found.revision],
    ['cues', cues.length],
  ]);
  const rows = cues.map(({ startMs, endMs, lines }, index) => [
    ...[`${index + 1}`, timeOf(startMs), timeOf(endMs)],
    lines.join(' / '),
  ]);
  return { json: found, text: `${head}\n\n${table(['cue', 'from', 'to', 'text'], rows, 'The track has no cues.')}` };
}

function collect(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value];
}

/** The tracks that a rerun would generate again. INVALID_ARGUMENT for a language without a track. */
function previewRerun(
  { videoId, state }: TracksOut,
  { languages, overwriteCorrected }: { readonly languages: readonly string[]; readonly overwriteCorrected: boolean },
): Output {
  const tracks = state?.tracks ?? [];
  const unknown = languages.find((language) => !tracks.some((track) => track.language === language));
  if (unknown !== undefined) throw new AppError('INVALID_ARGUMENT', `video ${videoId} has no track in ${unknown}`);
  const chosen = tracks.filter(({ language, status }) =>
    languages.length > 0 ? languages.includes(language) : status === 'failed' || status === 'skipped',
  );
  const kept = overwriteCorrected ? undefined : chosen.find(({ correctedBy }) => correctedBy !== '');
  if (kept)
    throw new AppError('FAILED_PRECONDITION', `${kept.correctedBy} corrected ${kept.language}: --overwrite-corrected`);
  const names = chosen.map(({ language }) => language).join(', ');
  return dryRunOutput(
    names === '' ? 'change nothing: no track failed or was skipped' : `generate ${names} of ${videoId} again`,
  );
}

/** The paths from one spoken language, or the number of targets that each of them has. */
function languagesOutput(found: LanguagesOut, spoken: string | undefined): Output {
  const routes = found.routes.filter(({ source }) => spoken === undefined || source === spoken);
  const json = { ...found, routes };
  if (spoken !== undefined) return { json, text: pathsText(routes, spoken) };
  const head = facts([
    ['speech', `${found.speechEngine || 'none'}: ${found.speechLanguages.join(' ') || '–'}`],
    ['translation', found.translationEngine || 'none'],
    ['targets', found.targets.join(' ') || '–'],
    ['checked at', found.checkedAt || '–'],
  ]);
  const rows = [...Map.groupBy(routes, ({ source }) => source)].map(([source, own]) => {
    const missing = own.filter(({ path }) => path.length === 0).map(({ target }) => target);
    const bySpeech = own.filter(({ fromSpeech }) => fromSpeech).length;
    return [source, `${own.length - missing.length} of ${own.length}`, String(bySpeech), missing.join(' ') || '–'];
  });
  const titles = ['spoken', 'translations', 'by speech', 'no path'];
  const legend = `By speech: ${BY_SPEECH}. The paths: vdsctl languages <spoken language>.`;
  const text = [head, table(titles, rows, 'The engines support no languages.'), ...(rows.length > 0 ? [legend] : [])];
  return { json, text: text.join('\n\n') };
}

function pathsText(routes: LanguagesOut['routes'], spoken: string): string {
  const rows = routes.map(({ target, path, fromSpeech }) => {
    const [first, second, ...others] = path;
    const steps = fromSpeech ? [first, `${second} (by speech)`, ...others] : path;
    return [target, steps.join(' → ') || 'no path'];
  });
  const paths = table(['target', 'path'], rows, `The engines do not support ${spoken} as a spoken language.`);
  return routes.some(({ fromSpeech }) => fromSpeech) ? `${paths}\n\nBy speech: ${BY_SPEECH}.` : paths;
}
