/**
 * The video's one audio rendition, made from the whole source and stored with its playlist before the pictures are
 * done.
 */
import { AppError } from '@vds/chassis/errors';
import { createRendition } from '../cmaf/rendition.ts';
import { writeAudioPlaylist } from '../hls/ladder-document.ts';
import { verifyAudio } from '../hls/verify-output.ts';
import { audioArguments, audioSampleRate, sourceName } from '../plan/encode-arguments.ts';
import type { EncodePlan } from '../plan/encode-plan.ts';
import { segmentSeconds } from '../plan/segment-grid.ts';
import { orCorrupt } from '../source/policy.ts';
import type { EncodePorts } from './encode-ports.ts';
import type { EncodedAudio } from './job-results.ts';

/** @throws AppError INVALID_ARGUMENT `source_corrupt` where sound is missing */
export async function encodeAudio(ports: EncodePorts, plan: EncodePlan): Promise<EncodedAudio> {
  const { audio, demuxer } = plan.probe;
  if (!audio) throw new AppError('INTERNAL', 'the video has no sound');
  await ports.fetch(sourceName);
  const length = plan.timeline.audioEnd ?? plan.timeline.videoEnd;
  const options = {
    name: 'a',
    // The AAC frame in which a cell begins belongs to it: segments are at most a frame off the pictures' grid.
    grid: { cell: segmentSeconds * audioSampleRate, tolerance: 0 },
    shift: 0,
    sequence: 1,
    end: undefined,
  };
  const rendition = createRendition(options, {
    put: (file, bytes) => ports.put(`a/${file}`, bytes, 'audio/mp4'),
    reached: (times) => ports.progress(Math.min(99, ((times.at(-1) ?? 0) / audioSampleRate / length) * 100)),
  });
  // Only the source can make this encoder fail: it writes no file and uses one codec.
  const encoding = ports.ffmpeg(audioArguments(audio, plan.timeline, demuxer), [rendition.read]);
  await orCorrupt(encoding, 'audio', 'cannot be decoded');
  const result: EncodedAudio = { kind: 'audio', ...rendition.result(), folder: ports.folder };
  verifyAudio(plan, result);
  const { path, body, contentType } = writeAudioPlaylist(plan, result);
  await ports.put(path.slice(ports.folder.length + 1), Buffer.from(body), contentType);
  return result;
}
