/**
 * The video's one audio rendition, made from the whole source and stored with its playlist before the pictures are
 * done.
 */
import { AppError } from '@vds/chassis/errors';
import { createRendition } from '../cmaf/rendition.ts';
import { verifyAudio, type MadeAudio } from '../hls/finished-title.ts';
import { writeAudioPlaylist } from '../hls/ladder-document.ts';
import { initName, segmentName } from '../hls/object-keys.ts';
import { audioArguments, audioSampleRate, segmentSeconds, sourceName } from '../plan/encode-arguments.ts';
import type { TitlePlan } from '../plan/title-plan.ts';
import { rejection } from '../source/policy.ts';
import type { PiecePorts } from './encode-piece.ts';

/**
 * @param folder the job's own folder, below the attempt
 * @throws AppError INVALID_ARGUMENT `source_corrupt` where sound is missing
 */
export async function encodeAudio(
  ports: Omit<PiecePorts, 'read'>,
  plan: TitlePlan,
  folder: string,
): Promise<MadeAudio> {
  const { audio, demuxer } = plan.facts;
  if (!audio) throw new AppError('INTERNAL', 'the title has no sound');
  await ports.fetch(sourceName);
  const length = plan.timeline.audioEnd ?? plan.timeline.videoEnd;
  const options = {
    name: 'a',
    // The AAC frame in which a cell begins belongs to it: segments are at most a frame off the pictures' grid.
    grid: { cell: segmentSeconds * audioSampleRate, tolerance: 0 },
    shift: 0,
    sequence: 1,
    end: undefined,
    initName,
    segmentName,
  };
  const sound = createRendition(options, {
    put: (file, bytes) => ports.put(`a/${file}`, bytes, 'audio/mp4'),
    reached: (times) => ports.progress(Math.min(99, ((times.at(-1) ?? 0) / audioSampleRate / length) * 100)),
  });
  await ports.encode(audioArguments(audio, plan.timeline, demuxer, sourceName), [sound.read]).catch(orCorrupt);
  const rendition: MadeAudio = { ...sound.result(), folder };
  verifyAudio(plan, rendition);
  const { path, body, contentType } = writeAudioPlaylist(plan, rendition);
  await ports.put(path.slice(folder.length + 1), Buffer.from(body), contentType);
  return rendition;
}

/** Only the source can make this encoder fail: it writes no file and uses one codec. */
function orCorrupt(error: unknown): never {
  if (error instanceof AppError && error.reason === 'tool_failed')
    throw rejection('source_corrupt', `the sound cannot be decoded: ${error.message}`, {
      stream: 'audio',
      found: 'cannot be decoded',
    });
  throw error;
}
