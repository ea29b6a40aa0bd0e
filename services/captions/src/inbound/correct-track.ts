/** The staff's corrections of tracks, and what they are made of. */
import type { TextCue } from '@vds/proto/documents/texts';
import { AppError } from '@vds/chassis/errors';
import type { Stages } from '@vds/chassis/stage/run-stages';
import { beginCorrection, planFor, spokenLanguage, type CaptionJob } from '../domain/caption-job.ts';
import { fixCue, type CueFix } from '../domain/fix-cue.ts';
import { fixedNames } from '../domain/names/fixed-names.ts';
import { correctJob } from '../domain/queued-jobs.ts';
import type { Track } from '../domain/track.ts';
import { parseTrackFile } from '../domain/vtt/parse-track-file.ts';
import { findLatest } from '../outbound/caption-rows.ts';
import { RPC_TIMEOUT_MS } from '../outbound/coverage.ts';
import { loadCues } from '../outbound/track-store.ts';
import { changeLatest, writeChange } from './change-job.ts';
import type { Deps } from './deps.ts';

export type CorrectionRequest = {
  readonly videoId: string;
  readonly language: string;
  /** The whole track as WebVTT or SubRip, or one cue of it. */
  readonly change: { readonly file: string } | CueFix;
  readonly validateOnly: boolean;
  readonly actor: string;
  readonly reason: string;
};

/** @throws AppError NOT_FOUND without such a track, FAILED_PRECONDITION where it is not ready */
export async function readTrack(deps: Pick<Deps, 'pool' | 'captions'>, videoId: string, language: string) {
  const job = await findLatest(deps.pool, videoId);
  const track = trackOf(job, language);
  return { videoId, revision: job.state.revision, track, cues: await cuesOf(deps, track) };
}

/**
 * Checks a correction and puts it in progress.
 * @throws AppError INVALID_ARGUMENT for a text that breaks a rule, NOT_FOUND without such a track or cue,
 * FAILED_PRECONDITION while the track is being made, ABORTED where it has changed meanwhile
 */
export async function correctTrack(
  deps: Deps,
  stages: Pick<Stages, 'handle' | 'notify'>,
  { videoId, language, change, validateOnly, actor, reason }: CorrectionRequest,
): Promise<void> {
  const seen = await findLatest(deps.pool, videoId);
  const track = trackOf(seen, language);
  const isSpoken = language === spokenLanguage(seen);
  // A track that cannot be read is replaced all the same.
  const shown =
    'file' in change ? (isSpoken ? await cuesOf(deps, track).catch(() => []) : []) : await cuesOf(deps, track);
  const { cues, number: cue } =
    'file' in change ? { cues: parseTrackFile(change.file, seen.durationMs) } : fixCue(shown, change, language);
  const names = isSpoken ? fixedNames(shown, cues, language) : [];
  checkFree(seen, language);
  if (validateOnly) return;
  const capabilities = await deps.coverage.capabilities({ force: false, timeoutMs: RPC_TIMEOUT_MS });
  await changeLatest(deps.pool, stages, videoId, async (client, stage, before) => {
    checkFree(before, language);
    if (before.attempt !== seen.attempt || trackOf(before, language).playlistKey !== track.playlistKey)
      throw new AppError('ABORTED', 'the track has changed meanwhile: look at it again');
    // Whatever can be heard, there is a text now.
    const planned = planFor({ ...before, hasAudio: true }, deps.targets, { ...capabilities, speechLanguages: ['*'] });
    const after = beginCorrection(before, planned, language, actor);
    await writeChange(deps, stage, client, { before, after });
    const { generation } = after;
    const { correctedBy: was } = trackOf(before, language);
    const fixed = { ...(was !== undefined && { was }), ...(cue !== undefined && { cue }) };
    const correction = { generation, language, by: actor, reason, at: new Date().toISOString(), names, cues, ...fixed };
    await stage.enqueue(client, [correctJob(after, correction)]);
    const what = { video_id: videoId, language, generation, cue, actor, reason };
    deps.log.info(what, 'an operator corrects a track');
  });
}

function trackOf(job: CaptionJob, language: string): Track {
  const track = job.state.tracks.find((one) => one.language === language);
  const listed = job.state.tracks.map((one) => one.language).join(' ');
  if (!track) throw new AppError('NOT_FOUND', `the video has no track '${language}'; its tracks are ${listed}`);
  return track;
}

function checkFree(job: CaptionJob, language: string): void {
  if (job.inProgress[language] !== undefined)
    throw new AppError('FAILED_PRECONDITION', `the track '${language}' is being made: wait until it is ready`);
  if (job.inProgress[spokenLanguage(job)] !== undefined && job.state.transcriptKey === undefined)
    throw new AppError('FAILED_PRECONDITION', 'the first captions are being made: wait until they are ready');
}

async function cuesOf({ captions }: Pick<Deps, 'captions'>, track: Track): Promise<readonly TextCue[]> {
  if (track.playlistKey === undefined)
    throw new AppError('FAILED_PRECONDITION', `the track '${track.language}' is not ready: replace it as a whole`);
  return loadCues(captions, track.playlistKey);
}
