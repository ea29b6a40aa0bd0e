/** `vdsctl captions …` and `vdsctl languages`: a video's tracks, and what the engines can do. */
import type { Command } from 'commander';
import type { LanguagesOut } from '@vds/proto/generated/vds/captions/v1/Languages.ts';
import type { TracksOut } from '@vds/proto/generated/vds/captions/v1/Tracks.ts';
import { AppError } from '@vds/chassis/errors';
import { facts, table } from './output.ts';
import { act, asDeed, bare, whoAsks, would, type Answer, type Deed, type Surroundings } from './verb.ts';

type Retry = Deed & { readonly language: readonly string[] };
type Look = { readonly refresh?: true };

/** Adds the verbs to the program. */
export function addCaptionVerbs(program: Command, surroundings: Surroundings): void {
  const captions = program.command('captions').description('caption tracks of a video');
  captions
    .command('show')
    .description('every track with its status, its reason and the languages it went through')
    .argument('<video id>')
    .action(
      act(surroundings, async (session, _, id = '') => shown(await session.tracks().ShowTracks({ videoId: bare(id) }))),
    );
  asDeed(captions.command('retry'))
    .description('make failed and skipped tracks once more, with the engines as they are now')
    .argument('<video id>')
    .option('--language <tag>', 'only this track; may be given several times', collect, [])
    .action(
      act<Retry>(surroundings, async (session, { dryRun: dry, language, ...why }, id = '') => {
        const videoId = bare(id);
        const who = whoAsks(surroundings, why);
        if (dry) return wouldRetry(await session.tracks().ShowTracks({ videoId }), language);
        return shown(await session.tracks().RetryTracks({ videoId, languages: [...language], ...who }));
      }),
    );
  program
    .command('languages')
    .description('what the engines can do now: every source and target, with the shortest way between them')
    .option('--refresh', 'look at the engines again instead of telling what was found last')
    .action(
      act<Look>(surroundings, async (session, { refresh = false }) =>
        coverage(await session.tracks().ListLanguages({ refresh }, { timeoutMs: 60_000 })),
      ),
    );
}

function shown(found: TracksOut): Answer {
  const head = facts([
    ['video', found.videoId],
    ['attempt', found.attempt],
    ['revision', found.state?.revision],
    ['transcript', found.state?.transcriptRevision === 0 ? '–' : found.state?.transcriptRevision],
    ['updated', found.updatedAt],
  ]);
  const rows = (found.state?.tracks ?? []).map(({ language, kind, status, reason, path, name }) => [
    language,
    kind,
    status,
    reason ?? '–',
    path.join(' → ') || '–',
    name,
  ]);
  const titles = ['language', 'kind', 'status', 'reason', 'path', 'name'];
  return { json: found, text: `${head}\n\n${table(titles, rows, 'No track is listed yet.')}` };
}

function collect(one: string, before: readonly string[]): readonly string[] {
  return [...before, one];
}

/** Tracks that a retry without languages, or with these, would make anew. INVALID_ARGUMENT for one that is not listed. */
function wouldRetry({ videoId, state }: TracksOut, languages: readonly string[]): Answer {
  const tracks = state?.tracks ?? [];
  const unknown = languages.find((language) => !tracks.some((track) => track.language === language));
  if (unknown !== undefined) throw new AppError('INVALID_ARGUMENT', `video ${videoId} has no track in ${unknown}`);
  const chosen = tracks.filter(({ language, status }) =>
    languages.length > 0 ? languages.includes(language) : status === 'failed' || status === 'skipped',
  );
  const names = chosen.map(({ language }) => language).join(', ');
  return would(names === '' ? 'change nothing: every track is as it should be' : `make ${names} of ${videoId} anew`);
}

function coverage(found: LanguagesOut): Answer {
  const head = facts([
    ['speech', `${found.speechEngine || 'none'}: ${found.speechLanguages.join(' ') || '–'}`],
    ['translation', found.translationEngine || 'none'],
    ['targets', found.targets.join(' ') || '–'],
    ['looked at', found.lookedAt || '–'],
  ]);
  const rows = found.routes.map(({ source, target, path }) => [source, target, path.join(' → ') || 'no path']);
  return { json: found, text: `${head}\n\n${table(['source', 'target', 'path'], rows, 'The engines serve nothing.')}` };
}
