/** The job `translate`: makes one track from the text of another one. */
import type { TextCue } from '@vds/proto/documents/texts';
import type { TrackSentence } from '@vds/proto/documents/track';
import { AppError } from '@vds/chassis/errors';
import { spokenLanguage, type CaptionJob } from '../caption-job.ts';
import { ENGINE_ERROR } from '../engine-errors.ts';
import { buildTranslatedCues } from '../layout/build-cues.ts';
import { layOut } from '../provided.ts';
import type { Route } from '../routes.ts';
import { withSounds } from '../sounds/sound-cues.ts';
import type { Outcome } from '../track-state.ts';
import { protect, restoreNumbers, type Languages } from '../translation/protect-entities.ts';
import { trackFiles } from '../vtt/track-files.ts';
import type { StoreTrack, TrackText } from './store-track.ts';

export type TranslatePorts = {
  /** The engine's route between two languages; `force` queries the engine now. */
  readonly route: (from: string, to: string, force: boolean) => Promise<Route | undefined>;
  readonly text: (textKey: string) => Promise<Pick<TrackText, 'sentences' | 'sounds'>>;
  /** @param steps languages, that of the sentences first, and at least one more */
  readonly translate: (sentences: readonly string[], steps: readonly string[]) => Promise<readonly string[]>;
  readonly store: StoreTrack;
  /** The partner's own captions in a language. */
  readonly provided: (language: string) => Promise<readonly TextCue[]>;
};

type Result = {
  readonly outcome: Outcome;
  readonly path: readonly string[];
  /** How many names and numbers the translation lost. */
  readonly lost?: number;
};

/** Makes one track, or returns why it cannot be made. */
export async function translateTrack(ports: TranslatePorts, captions: CaptionJob, language: string): Promise<Result> {
  if (captions.state.tracks.some((track) => track.provided && track.language === language))
    return storeProvided(ports, captions, language);
  const route = await findRoute(ports, captions, language);
  if (!route) return { outcome: { status: 'skipped', reason: 'no_path' }, path: [] };
  const { path } = route;
  const key = textKey(captions, route);
  // The speech engine returned no English, or its English was not needed when the speech was transcribed.
  if (key === undefined) return { outcome: { status: 'failed', reason: 'engine_error' }, path };
  const { sentences, sounds = [] } = await ports.text(key);
  if (sentences.length === 0) return { outcome: { status: 'skipped', reason: 'no_speech' }, path };
  const steps = route.from === 'speech' ? path.slice(1) : path;
  const { texts, lost } = await translateText(ports, captions, sentences, steps);
  const translated = buildTranslatedCues(texts, sentences, language, captions.durationMs);
  const cues = withSounds(translated.cues, sounds, language, captions.durationMs);
  const files = trackFiles(cues, language, captions.durationMs);
  const stored = await ports.store(files, { language, kind: 'subtitles', sentences: translated.sentences });
  return { outcome: { status: 'ready', ...stored }, path, lost };
}

async function storeProvided(ports: TranslatePorts, { durationMs }: CaptionJob, language: string): Promise<Result> {
  const { cues, sentences } = layOut(await ports.provided(language));
  const files = trackFiles(cues, language, durationMs);
  const stored = await ports.store(files, { language, kind: 'subtitles', sentences });
  return { outcome: { status: 'ready', ...stored }, path: [language] };
}

/** Another replica may know a route that the engine has offered only recently. */
async function findRoute(ports: TranslatePorts, captions: CaptionJob, target: string): Promise<Route | undefined> {
  const known = await ports.route(spokenLanguage(captions), target, false);
  if (known && textKey(captions, known) !== undefined) return known;
  return ports.route(spokenLanguage(captions), target, true);
}

/** The document that a route translates; undefined where it does not exist. */
function textKey({ state }: CaptionJob, { from }: Route): string | undefined {
  return from === 'speech' ? state.englishKey : state.transcriptKey;
}

/** One text for each sentence, in order. */
async function translateText(
  { translate }: TranslatePorts,
  { names }: Pick<CaptionJob, 'names'>,
  sentences: readonly TrackSentence[],
  steps: readonly string[],
): Promise<{ readonly texts: readonly string[]; readonly lost: number }> {
  const originals = sentences.map(({ text }) => text);
  const [source = '', target] = [steps[0], steps.at(-1)];
  // English, which the speech engine has made already.
  if (steps.length < 2 || target === undefined) return { texts: originals, lost: 0 };
  return translateSentences(originals, { source, target, names }, (some) => translate(some, steps));
}

/**
 * Translates sentences: names are sent as tokens that the engine has no word for, and lost numbers are restored.
 * @param translate returns as many texts as it receives, in their order
 * @returns one text per sentence, in order, and how many names and numbers the translation lost
 * @throws AppError FAILED_PRECONDITION with reason `engine_error` where every translation is empty
 */
async function translateSentences(
  sentences: readonly string[],
  { names, ...languages }: Languages & Pick<CaptionJob, 'names'>,
  translate: (texts: readonly string[]) => Promise<readonly string[]>,
) {
  const guarded = sentences.map((sentence) => protect(sentence, languages, names));
  const translated = await translate(guarded.map(({ text }) => text));
  const named = guarded.map(({ restore }, index) => restore(translated[index] ?? ''));
  // Sentences whose tokens were lost are translated again as they are, names included.
  const again = named.flatMap((text, index) => (text === undefined ? [index] : []));
  const plain = again.length > 0 ? await translate(again.map((index) => sentences[index] ?? '')) : [];
  const restored = named.map((text, index) =>
    restoreNumbers(sentences[index] ?? '', text ?? plain[again.indexOf(index)] ?? '', languages, names),
  );
  if (sentences.length > 0 && restored.every(({ text }) => text === ''))
    throw new AppError('FAILED_PRECONDITION', 'no sentence came back', { reason: ENGINE_ERROR });
  const lost = restored.reduce((sum, one) => sum + one.lost.length, 0);
  return { texts: restored.map(({ text }) => text), lost };
}
