/**
 * Makes the source track, the transcript and its English from the words of a video; then every other track can be
 * translated.
 */
import { createHash } from 'node:crypto';
import type { TrackSentence } from '@vds/proto/documents/track';
import { joinWords } from '../domain/transcription/join-words.ts';
import { buildSpokenCues } from '../domain/layout/build-cues.ts';
import { translateJobs } from '../domain/queued-jobs.ts';
import { ENGLISH } from '../domain/routes.ts';
import { sentencesOf } from '../domain/speech/sentences.ts';
import {
  isInProgress,
  isTranscribing,
  finishGeneration,
  finishTrack,
  spokenLanguage,
  type CaptionJob,
} from '../domain/caption-job.ts';
import { trackFiles } from '../domain/vtt/track-files.ts';
import type { Word } from '../domain/words.ts';
import { readChunks, readJob, removeChunks, type SavedChunk } from '../outbound/caption-rows.ts';
import { storeTrack, type StoredTrack } from '../outbound/track-store.ts';
import { changeJob } from './change-job.ts';
import type { CaptionsStageJob, Deps } from './deps.ts';

type Rendered = { readonly stored: StoredTrack; readonly digest: string; readonly isEmpty: boolean };

/** The job that follows the last chunk of a generation. */
export async function runRender(job: CaptionsStageJob<'render'>, deps: Deps): Promise<void> {
  const { generation } = job.payload;
  const captions = await readJob(deps.pool, job);
  if (!captions || !isTranscribing(captions, generation)) return job.complete();
  const { durationMs } = captions;
  const language = spokenLanguage(captions);
  const chunks = await readChunks(deps.pool, captions, generation);
  const build = (words: readonly Word[], of: string) => buildSpokenCues(sentencesOf(words, of), of, durationMs);
  const { cues, sentences } = build(joinWords(chunks), language);
  const isEmpty = sentences.length === 0;
  const files = isEmpty ? [] : trackFiles(cues, language, durationMs);
  const english = isEmpty ? [] : build(englishOf(chunks), ENGLISH).sentences;
  const stored = await storeTrack(
    deps.captions,
    job,
    files,
    { language, kind: 'captions', sentences },
    english.length === 0 ? undefined : { language: ENGLISH, kind: 'subtitles', sentences: english },
  );
  const rendered = { stored, digest: digestOf(sentences), isEmpty };
  await job.complete(async (client) => {
    const after = await changeJob(deps, client, job, (now) => finishSpoken(now, generation, rendered));
    if (!after) return;
    await removeChunks(client, after);
    const next = Object.keys(after.inProgress).filter((other) => isInProgress(after, other, generation));
    await job.stage.enqueue(client, translateJobs(after, generation, next));
  });
}

/** None where a chunk has no English: a part of the text would be missing. */
function englishOf(chunks: readonly SavedChunk[]): Word[] {
  return chunks.some(({ english }) => english === null)
    ? []
    : joinWords(chunks.map(({ english, ...chunk }) => ({ ...chunk, words: english ?? [] })));
}

function digestOf(sentences: readonly TrackSentence[]): string {
  return createHash('sha256').update(JSON.stringify(sentences)).digest('hex');
}

function finishSpoken(job: CaptionJob, generation: number, { stored, digest, isEmpty }: Rendered): CaptionJob {
  if (!isTranscribing(job, generation)) return job;
  const textChanged = digest !== job.transcriptDigest;
  const settled = isEmpty
    ? finishGeneration(job, generation, { status: 'skipped', reason: 'no_speech' }, stored.textKey)
    : finishTrack(job, generation, spokenLanguage(job), { status: 'ready', ...stored, textChanged });
  return settled.state.transcriptKey === stored.textKey ? { ...settled, transcriptDigest: digest } : settled;
}
