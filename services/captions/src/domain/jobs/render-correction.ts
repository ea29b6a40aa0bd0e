/** The job `correct`: makes a track of what the staff has written. */
import type { TextCue } from '@vds/proto/documents/texts';
import { finishGeneration, finishTrack, isInProgress, spokenLanguage, type CaptionJob } from '../caption-job.ts';
import { boundedNames } from '../names/list-names.ts';
import { layOut } from '../provided.ts';
import { soundIn } from '../sounds/sound-names.ts';
import { withRevision } from '../track-state.ts';
import { trackFiles } from '../vtt/track-files.ts';
import type { RenderPorts, Rendered } from './render-spoken.ts';

export type Correction = {
  readonly generation: number;
  readonly language: string;
  /** Who made it. */
  readonly by: string;
  readonly reason?: string;
  /** The cue that was fixed, from 1; absent where the whole track was replaced. */
  readonly cue?: number;
  /** When it was accepted; RFC 3339. */
  readonly at?: string;
  /** What it spells anew in the spoken track. */
  readonly names?: readonly string[];
  /** Who corrected the track before. */
  readonly was?: string;
  readonly cues: readonly TextCue[];
};

export async function renderCorrection(
  { store, digest }: Pick<RenderPorts, 'store' | 'digest'>,
  captions: CaptionJob,
  { language, cues: corrected }: Correction,
): Promise<Rendered> {
  const kind = language === spokenLanguage(captions) ? 'captions' : 'subtitles';
  const sounds = corrected.flatMap((cue) => soundIn(cue, language));
  // Sounds are no words of the transcript.
  const isSound = (cue: TextCue): boolean => soundIn(cue, language).length > 0;
  const { cues, sentences } = layOut(corrected.filter((cue) => !isSound(cue)));
  const shown = [...cues, ...corrected.filter(isSound)].toSorted((a, b) => a.startMs - b.startMs);
  const stored = await store(trackFiles(shown, language, captions.durationMs), { language, kind, sentences, sounds });
  return { stored, digest: digest(JSON.stringify(sentences)), isEmpty: false };
}

/** The captions with the correction. What the speech engine made in English is still of what was spoken, and stays. */
export function finishCorrection(
  job: CaptionJob,
  { generation, language, by: correctedBy, names = [] }: Correction,
  { stored, digest }: Rendered,
): CaptionJob {
  if (!isInProgress(job, language, generation)) return job;
  const isSpoken = language === spokenLanguage(job);
  const { englishKey } = job.state;
  const after = finishTrack(job, generation, language, {
    ...{ status: 'ready', correctedBy, ...stored },
    ...(isSpoken && { textChanged: digest !== job.transcriptDigest, ...(englishKey && { englishKey }) }),
  });
  if (!isSpoken) return after;
  return { ...after, transcriptDigest: digest, fixedNames: boundedNames([...names, ...job.fixedNames]) };
}

/** The captions after a correction that could not be stored: the track, and what was to be translated from it, stay. */
export function abandonCorrection(before: CaptionJob, { generation, language, was }: Correction): CaptionJob {
  if (!isInProgress(before, language, generation)) return before;
  const job = unmark(before, language, was);
  const outcome = { status: 'failed', reason: 'engine_error' } as const;
  return language === spokenLanguage(job)
    ? finishGeneration(job, generation, outcome)
    : finishTrack(job, generation, language, outcome);
}

function unmark({ state, ...job }: CaptionJob, language: string, was: string | undefined): CaptionJob {
  const tracks = state.tracks.map(({ correctedBy, ...track }) => {
    const by = track.language === language ? was : correctedBy;
    return { ...track, ...(by !== undefined && { correctedBy: by }) };
  });
  return { ...job, state: withRevision(state, { ...state, tracks }) };
}
