/** What was heard becomes the source track and the transcript; then every other track can be translated. */
import { createHash } from 'node:crypto';
import type { Job } from '@vds/chassis/work/work';
import type { TrackSentence } from '@vds/proto/documents/track';
import { joinWords } from '../domain/transcription/join-words.ts';
import { buildSpokenCues } from '../domain/layout/spoken.ts';
import { attemptPrefix, unitFolder } from '../domain/object-keys.ts';
import { sentencesOf } from '../domain/speech/sentences.ts';
import { isInProgress, settleGeneration, settleTrack, spokenLanguage, type CaptionJob } from '../domain/caption-job.ts';
import { trackFiles } from '../domain/vtt/segments.ts';
import { readPieces, removePieces } from '../outbound/titles.ts';
import { storeTrack, type StoredTrack } from '../outbound/track-store.ts';
import { enqueueTranslations } from '../outbound/units.ts';
import { changeTitle } from './change-title.ts';
import type { Deps } from './deps.ts';

type Laid = { readonly stored: StoredTrack; readonly digest: string; readonly isEmpty: boolean };

/** The unit that follows the last piece of a round. */
export async function renderCues(place: Deps, job: Job, title: CaptionJob, round: number): Promise<void> {
  const language = spokenLanguage(title);
  const words = joinWords(await readPieces(place.pool, title, round));
  const limit = { endMs: title.durationMs };
  const { cues, sentences } = buildSpokenCues(sentencesOf(words, language), language, limit);
  const isEmpty = sentences.length === 0;
  const stored = await storeTrack(
    place.captions,
    `${attemptPrefix(title.videoId, title.attempt)}${unitFolder(job.unit, job.fence)}/`,
    isEmpty ? [] : trackFiles(cues, language, title.durationMs),
    { videoId: title.videoId, language, kind: 'captions', sentences },
    job.signal,
  );
  const laid = { stored, digest: digestOf(sentences), isEmpty };
  await job.complete(async (client) => {
    const after = await changeTitle(place, client, title, (now) => settleSpoken(now, round, laid));
    if (!after) return;
    await removePieces(client, after);
    const next = Object.keys(after.making).filter((other) => isInProgress(after, other, round));
    await enqueueTranslations(client, after, round, next);
  });
}

function digestOf(sentences: readonly TrackSentence[]): string {
  return createHash('sha256').update(JSON.stringify(sentences)).digest('hex');
}

function settleSpoken(title: CaptionJob, round: number, { stored, digest, isEmpty }: Laid): CaptionJob {
  const spoken = spokenLanguage(title);
  if (!isInProgress(title, spoken, round)) return title;
  const textChanged = digest !== title.transcriptDigest;
  const settled = isEmpty
    ? settleGeneration(title, round, { status: 'skipped', reason: 'no_speech' }, stored.textKey)
    : settleTrack(title, round, spoken, { status: 'ready', ...stored, textChanged });
  return settled.state.transcriptKey === stored.textKey ? { ...settled, transcriptDigest: digest } : settled;
}
