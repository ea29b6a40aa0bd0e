/** Translations, one track at a time. */
import type { PoolClient } from '@vds/chassis/database/database';
import { messageOf } from '@vds/chassis/errors';
import type { FailedJob } from '@vds/chassis/stage/define-stage';
import type { stageEvents } from '@vds/proto/events';
import { attemptPrefix, jobFolder } from '@vds/chassis/objects/keys';
import { buildTranslatedCues } from '../domain/layout/translated.ts';
import { isInProgress, settleTrack, spokenLanguage, type CaptionJob } from '../domain/caption-job.ts';
import type { QueuedJob } from '../domain/queued-jobs.ts';
import type { Outcome } from '../domain/track-state.ts';
import { trackFiles } from '../domain/vtt/segments.ts';
import { readJob } from '../outbound/caption-rows.ts';
import { loadTrack, storeTrack } from '../outbound/track-store.ts';
import { changeJob } from './change-job.ts';
import type { CaptionsStageJob, Deps } from './deps.ts';
import { translateSentences } from './translate-sentences.ts';

type Made = { readonly outcome: Outcome; readonly path: readonly string[] };

export async function runTranslate(job: CaptionsStageJob<'translate'>, deps: Deps): Promise<void> {
  const { language, generation } = job.payload;
  const captions = await readJob(deps.pool, job);
  if (!captions || !isInProgress(captions, language, generation)) return job.complete();
  const { outcome, path } = await translateTrack(deps, job, captions);
  let after: CaptionJob | undefined;
  await job.complete(async (client) => {
    after = await changeJob(deps, client, job, (now) => settleTrack(now, generation, language, outcome, path));
  });
  if (!after) return;
  await job.stage
    .progress(percentOf(after))
    .catch((error: unknown) => deps.log.warn({ reason: messageOf(error) }, 'progress could not be written'));
}

/** Makes one track, or returns why it cannot be made. */
async function translateTrack(deps: Deps, job: CaptionsStageJob<'translate'>, captions: CaptionJob): Promise<Made> {
  const { coverage, translate } = deps;
  const { language } = job.payload;
  const routes = async (anew: boolean) =>
    (await coverage.translations(anew)).routes(spokenLanguage(captions), language);
  // Another replica may know a path that the engine has offered only recently.
  const path = (await routes(false)) ?? (await routes(true));
  if (!path) return { outcome: { status: 'skipped', reason: 'no_path' }, path: [] };
  const transcript = await loadTrack(deps.captions, captions.state.transcriptKey ?? '');
  const { sentences } = transcript;
  if (sentences.length === 0) return { outcome: { status: 'skipped', reason: 'no_speech' }, path };
  const languages = { source: spokenLanguage(captions), target: language };
  const { texts, lost } = await translateSentences(
    sentences.map(({ text }) => text),
    languages,
    (texts) => translate(texts, path, job.signal),
  );
  if (lost > 0) deps.log.info({ language, lost, sentences: sentences.length }, 'a translation lost names or numbers');
  const translated = buildTranslatedCues(texts, sentences, language, { endMs: captions.durationMs });
  const stored = await storeTrack(
    deps.captions,
    `${attemptPrefix(job.videoId, job.attempt)}${jobFolder(job.name, job.fence)}/`,
    trackFiles(translated.cues, language, captions.durationMs),
    { videoId: job.videoId, language, kind: 'subtitles', sentences: translated.sentences },
    job.signal,
  );
  return { outcome: { status: 'ready', ...stored }, path };
}

/** Translating is the last four tenths of the stage. */
function percentOf({ state, inProgress }: CaptionJob): number {
  return 100 - (40 * Object.keys(inProgress).length) / Math.max(1, state.tracks.length);
}

export async function failTranslation(
  client: PoolClient,
  job: FailedJob<QueuedJob, typeof stageEvents.captions, 'translate'>,
  _error: unknown,
  deps: Deps,
): Promise<void> {
  const { language, generation } = job.payload;
  const outcome = { status: 'failed', reason: 'engine_error' } as const;
  await changeJob(deps, client, job, (now) => settleTrack(now, generation, language, outcome));
}
