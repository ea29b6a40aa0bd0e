/**
 * The job `render`: makes the source track, the transcript and its English from the words of a video; then every other
 * track can be translated.
 */
import type { TextCue } from '@vds/proto/documents/texts';
import type { TrackSentence } from '@vds/proto/documents/track';
import { finishGeneration, finishTrack, isTranscribing, spokenLanguage, type CaptionJob } from '../caption-job.ts';
import { buildSpokenCues } from '../layout/build-cues.ts';
import { layOut } from '../provided.ts';
import { ENGLISH } from '../routes.ts';
import { sentencesOf } from '../speech/sentences.ts';
import type { Sound } from '../sounds/sound-names.ts';
import { withSounds } from '../sounds/sound-cues.ts';
import { joinWords, type TranscribedChunk } from '../transcription/join-words.ts';
import { trackFiles } from '../vtt/track-files.ts';
import type { Word } from '../words.ts';
import type { StoredTrack, StoreTrack } from './store-track.ts';

/** `english` is null where none was made. */
export type SavedChunk = TranscribedChunk & {
  readonly english: readonly Word[] | null;
  readonly sounds: readonly Sound[];
};
export type RenderPorts = {
  readonly store: StoreTrack;
  readonly digest: (text: string) => string;
  /** The partner's own captions in a language. */
  readonly provided: (language: string) => Promise<readonly TextCue[]>;
};
export type Rendered = { readonly stored: StoredTrack; readonly digest: string; readonly isEmpty: boolean };

/** @param chunks all of the video, in order */
export async function renderSpoken(
  { store, digest, provided }: RenderPorts,
  captions: CaptionJob,
  chunks: readonly SavedChunk[],
): Promise<Rendered> {
  const { durationMs } = captions;
  const language = spokenLanguage(captions);
  const build = (words: readonly Word[], of: string) => buildSpokenCues(sentencesOf(words, of), of, durationMs);
  const isProvided = captions.state.tracks.some((track) => track.provided && track.language === language);
  const { cues, sentences } = isProvided ? layOut(await provided(language)) : build(joinWords(chunks), language);
  const isEmpty = sentences.length === 0;
  const sounds = captions.soundCues && !isProvided ? chunks.flatMap((chunk) => chunk.sounds) : [];
  const files = isEmpty ? [] : trackFiles(withSounds(cues, sounds, language, durationMs), language, durationMs);
  const english: readonly TrackSentence[] = isEmpty ? [] : build(englishOf(chunks), ENGLISH).sentences;
  const stored = await store(
    files,
    { language, kind: 'captions', sentences, sounds },
    english.length === 0 ? undefined : { language: ENGLISH, kind: 'subtitles', sentences: english, sounds },
  );
  return { stored, digest: digest(JSON.stringify(sentences)), isEmpty };
}

/** None where a chunk has no English: a part of the text would be missing. */
function englishOf(chunks: readonly SavedChunk[]): Word[] {
  return chunks.some(({ english }) => english === null)
    ? []
    : joinWords(chunks.map(({ english, ...chunk }) => ({ ...chunk, words: english ?? [] })));
}

export function finishSpoken(job: CaptionJob, generation: number, { stored, digest, isEmpty }: Rendered): CaptionJob {
  if (!isTranscribing(job, generation)) return job;
  const textChanged = digest !== job.transcriptDigest;
  const settled = isEmpty
    ? finishGeneration(job, generation, { status: 'skipped', reason: 'no_speech' }, stored.textKey)
    : finishTrack(job, generation, spokenLanguage(job), { status: 'ready', ...stored, textChanged });
  return settled.state.transcriptKey === stored.textKey ? { ...settled, transcriptDigest: digest } : settled;
}
