/** The door through which translations come, one track at a time, and the removal of what nobody needs any more. */
import { messageOf } from '@vds/chassis/errors';
import type { Job, Queue } from '@vds/chassis/work/work';
import { buildTranslatedCues } from '../domain/layout/translated.ts';
import { attemptPrefix, unitFolder } from '../domain/object-keys.ts';
import { isInProgress, settleTrack, spokenLanguage, type CaptionJob } from '../domain/caption-job.ts';
import type { Outcome } from '../domain/track-state.ts';
import { trackFiles } from '../domain/vtt/segments.ts';
import { loadTrack, storeTrack } from '../outbound/track-store.ts';
import type { TranslationJob } from '../outbound/units.ts';
import { changeTitle, enterUnit, titleKeyOf } from './change-title.ts';
import { failPermanently } from './fail-permanently.ts';
import { tidy } from './tidy.ts';
import { translateSentences } from './translate-sentences.ts';
import { stageOf, type Deps } from './deps.ts';

type Unit = Extract<TranslationJob, { kind: 'translate' }>;
type Made = { readonly outcome: Outcome; readonly path: readonly string[] };

export function translateQueue(place: Deps, slots: number, maxTries: number): Queue {
  return {
    slots,
    maxTries,
    run: (job) => perform(place, job).catch(failPermanently(job)),
    failed: async (client, job, error) => {
      const unit = job.payload as TranslationJob;
      if (unit.kind === 'tidy') return place.log.error({ err: error }, 'what is no longer needed could not be removed');
      const outcome = { status: 'failed', reason: 'engine_error' } as const;
      await changeTitle(place, client, titleKeyOf(job), (now) => settleTrack(now, unit.round, unit.language, outcome));
    },
  };
}

async function perform(place: Deps, job: Job): Promise<void> {
  const title = await enterUnit(place, job);
  const unit = job.payload as TranslationJob;
  if (!title) return job.complete();
  if (unit.kind === 'tidy') return tidy(place, job, title);
  if (!isInProgress(title, unit.language, unit.round)) return job.complete();
  return translateTrack(place, job, title, unit);
}

async function translateTrack(place: Deps, job: Job, title: CaptionJob, unit: Unit): Promise<void> {
  const { outcome, path } = await make(place, job, title, unit);
  let after: CaptionJob | undefined;
  await job.complete(async (client) => {
    after = await changeTitle(place, client, title, (now) =>
      settleTrack(now, unit.round, unit.language, outcome, path),
    );
  });
  if (!after) return;
  await place.stages
    .progress(stageOf(after), percentOf(after))
    .catch((error: unknown) => place.log.warn({ reason: messageOf(error) }, 'progress could not be written down'));
}

/** Makes one track; what it cannot be made for is an outcome too. */
async function make(place: Deps, job: Job, title: CaptionJob, { language }: Unit): Promise<Made> {
  const { captions, coverage, translate } = place;
  const way = async (anew: boolean) => (await coverage.translations(anew)).routes(spokenLanguage(title), language);
  // Another replica may have seen a way that the engine has not had for long.
  const path = (await way(false)) ?? (await way(true));
  if (!path) return { outcome: { status: 'skipped', reason: 'no_path' }, path: [] };
  const transcript = await loadTrack(captions, title.state.transcriptKey ?? '');
  const { sentences } = transcript;
  if (sentences.length === 0) return { outcome: { status: 'skipped', reason: 'no_speech' }, path };
  const languages = { source: spokenLanguage(title), target: language };
  const { texts, lost } = await translateSentences(
    sentences.map(({ text }) => text),
    languages,
    (asked) => translate(asked, path, job.signal),
  );
  if (lost > 0) place.log.info({ language, lost, sentences: sentences.length }, 'a translation lost names or numbers');
  const laid = buildTranslatedCues(texts, sentences, language, { endMs: title.durationMs });
  const stored = await storeTrack(
    captions,
    `${attemptPrefix(title.videoId, title.attempt)}${unitFolder(job.unit, job.fence)}/`,
    trackFiles(laid.cues, language, title.durationMs),
    { videoId: title.videoId, language, kind: 'subtitles', sentences: laid.sentences },
    job.signal,
  );
  return { outcome: { status: 'ready', ...stored }, path };
}

/** Translating is the last four tenths of the stage. */
function percentOf({ state, making }: CaptionJob): number {
  return 100 - (40 * Object.keys(making).length) / Math.max(1, state.tracks.length);
}
