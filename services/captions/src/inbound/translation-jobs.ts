/** Translations, one track at a time. */
import type { PoolClient } from '@vds/chassis/database/database';
import type { TrackSentence } from '@vds/proto/documents/track';
import { AppError } from '@vds/chassis/errors';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { buildTranslatedCues } from '../domain/layout/build-cues.ts';
import { isInProgress, finishTrack, spokenLanguage, type CaptionJob } from '../domain/caption-job.ts';
import type { Route } from '../domain/routes.ts';
import type { Outcome } from '../domain/track-state.ts';
import { protect, restoreNumbers, type Languages } from '../domain/translation/protect-entities.ts';
import { trackFiles } from '../domain/vtt/track-files.ts';
import { readJob } from '../outbound/caption-rows.ts';
import { loadTrack, storeTrack } from '../outbound/track-store.ts';
import { changeJob, reportProgress } from './change-job.ts';
import type { CaptionsStageJob, Deps, FailedCaptionsJob } from './deps.ts';

type Result = { readonly outcome: Outcome; readonly path: readonly string[] };

export async function runTranslate(job: CaptionsStageJob<'translate'>, deps: Deps): Promise<void> {
  const { language, generation } = job.payload;
  const captions = await readJob(deps.pool, job);
  if (!captions || !isInProgress(captions, language, generation)) return job.complete();
  const { outcome, path } = await translateTrack(deps, job, captions);
  let after: CaptionJob | undefined;
  await job.complete(async (client) => {
    after = await changeJob(deps, client, job, (now) => finishTrack(now, generation, language, outcome, path));
  });
  if (after) await reportProgress(deps, job.stage, percentOf(after));
}

/** Makes one track, or returns why it cannot be made. */
async function translateTrack(deps: Deps, job: CaptionsStageJob<'translate'>, captions: CaptionJob): Promise<Result> {
  const { language } = job.payload;
  const route = await findRoute(deps, captions, language);
  if (!route) return { outcome: { status: 'skipped', reason: 'no_path' }, path: [] };
  const { path } = route;
  const key = textKey(captions, route);
  // The speech engine returned no English, or its English was not needed when the speech was transcribed.
  if (key === undefined) return { outcome: { status: 'failed', reason: 'engine_error' }, path };
  const { sentences } = await loadTrack(deps.captions, key);
  if (sentences.length === 0) return { outcome: { status: 'skipped', reason: 'no_speech' }, path };
  const texts = await translateText(deps, job, { sentences, steps: route.from === 'speech' ? path.slice(1) : path });
  const translated = buildTranslatedCues(texts, sentences, language, captions.durationMs);
  const files = trackFiles(translated.cues, language, captions.durationMs);
  const track = { language, kind: 'subtitles', sentences: translated.sentences } as const;
  await failpoint('captions.track-translated');
  const stored = await storeTrack(deps.captions, job, files, track);
  await failpoint('captions.track-stored');
  return { outcome: { status: 'ready', ...stored }, path };
}

/** Another replica may know a route that the engine has offered only recently. */
async function findRoute({ coverage }: Deps, captions: CaptionJob, target: string): Promise<Route | undefined> {
  const find = async (force: boolean) => (await coverage.routes(force))(spokenLanguage(captions), target);
  const known = await find(false);
  return known && textKey(captions, known) !== undefined ? known : find(true);
}

/** The document that a route translates; undefined where it does not exist. */
function textKey({ state }: CaptionJob, { from }: Route): string | undefined {
  return from === 'speech' ? state.englishKey : state.transcriptKey;
}

type Text = {
  readonly sentences: readonly TrackSentence[];
  /** Languages, that of the sentences first. */
  readonly steps: readonly string[];
};

/** One text for each sentence, in order. */
async function translateText(
  { translate, log }: Deps,
  job: CaptionsStageJob<'translate'>,
  { sentences, steps }: Text,
): Promise<readonly string[]> {
  const { language } = job.payload;
  const originals = sentences.map(({ text }) => text);
  const [source = language] = steps;
  // English, which the speech engine has made already.
  if (steps.length < 2) return originals;
  const { texts, lost } = await translateSentences(originals, { source, target: language }, (some) =>
    translate(some, steps, job.signal),
  );
  if (lost > 0) log.info({ language, lost, sentences: sentences.length }, 'a translation lost names or numbers');
  return texts;
}

/**
 * Translates sentences: names are sent as tokens that the engine has no word for, and lost numbers are restored.
 * @param translate returns as many texts as it receives, in their order
 * @returns one text per sentence, in order, and how many names and numbers the translation lost
 * @throws AppError FAILED_PRECONDITION with reason `engine_error` where every translation is empty
 */
async function translateSentences(
  sentences: readonly string[],
  languages: Languages,
  translate: (texts: readonly string[]) => Promise<readonly string[]>,
) {
  const guarded = sentences.map((sentence) => protect(sentence, languages));
  const translated = await translate(guarded.map(({ text }) => text));
  const named = guarded.map(({ restore }, index) => restore(translated[index] ?? ''));
  // Sentences whose tokens were lost are translated again as they are, names included.
  const again = named.flatMap((text, index) => (text === undefined ? [index] : []));
  const plain = again.length > 0 ? await translate(again.map((index) => sentences[index] ?? '')) : [];
  const restored = named.map((text, index) =>
    restoreNumbers(sentences[index] ?? '', text ?? plain[again.indexOf(index)] ?? '', languages),
  );
  if (sentences.length > 0 && restored.every(({ text }) => text === ''))
    throw new AppError('FAILED_PRECONDITION', 'no sentence came back', { reason: 'engine_error' });
  const lost = restored.reduce((sum, one) => sum + one.lost.length, 0);
  return { texts: restored.map(({ text }) => text), lost };
}

/** Translating is the last four tenths of the stage. */
function percentOf({ state, inProgress }: CaptionJob): number {
  return 100 - (40 * Object.keys(inProgress).length) / Math.max(1, state.tracks.length);
}

export async function failTranslation(
  client: PoolClient,
  job: FailedCaptionsJob<'translate'>,
  _error: unknown,
  deps: Deps,
): Promise<void> {
  const { language, generation } = job.payload;
  const outcome = { status: 'failed', reason: 'engine_error' } as const;
  await changeJob(deps, client, job, (now) => finishTrack(now, generation, language, outcome));
}
