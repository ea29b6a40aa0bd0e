/**
 * The video's one audio rendition, made from the full source and stored with its playlist before the pictures are done.
 */
import { AppError } from '@vds/chassis/errors';
import { createRendition } from '../cmaf/rendition.ts';
import { writeAudioPlaylist } from '../hls/ladder-document.ts';
import { verifyAudio, verifyDecoded, type AudioSteps } from '../hls/verify-output.ts';
import { sourceName } from '../plan/encode-arguments.ts';
import type { EncodePlan } from '../plan/encode-plan.ts';
import { SEGMENT_SECONDS } from '../plan/segment-grid.ts';
import {
  AUDIO_SAMPLE_RATE,
  decodedSeconds,
  decodeSoundArguments,
  encodeSoundArguments,
  tryDecodingArguments,
} from '../plan/sound-arguments.ts';
import { orCorrupt } from '../source/policy.ts';
import type { AudioStream } from '../source/probe.ts';
import type { EncodePorts } from './encode-ports.ts';
import type { EncodedAudio } from './job-results.ts';

/** @throws AppError INVALID_ARGUMENT `source_corrupt` if sound is missing, or none of it can be decoded */
export async function encodeAudio(ports: EncodePorts, plan: EncodePlan): Promise<EncodedAudio> {
  const { audio } = plan.probe;
  if (!audio) throw new AppError('INTERNAL', 'the video has no sound');
  await ports.fetch(sourceName);
  const { end } = plan.timeline;
  const options = {
    name: 'a',
    // The AAC frame in which a cell begins belongs to it: segments are at most a frame off the pictures' grid.
    grid: { cell: SEGMENT_SECONDS * AUDIO_SAMPLE_RATE, tolerance: 0 },
    shift: 0,
    sequence: 1,
    end: undefined,
  };
  const steps = measureSteps();
  const rendition = createRendition(options, {
    put: (file, bytes) => ports.put(`a/${file}`, bytes, 'audio/mp4'),
    reached: (times) => {
      steps.add(times);
      ports.progress(Math.min(99, ((times.at(-1) ?? 0) / AUDIO_SAMPLE_RATE / end) * 100));
    },
  });
  verifyDecoded(plan, await decodeAndEncode(ports, plan, audio, rendition.read));
  const result: EncodedAudio = { kind: 'audio', ...rendition.result(), folder: ports.folder };
  verifyAudio(result, steps.result());
  const { path, body, contentType } = writeAudioPlaylist(plan, result);
  await ports.put(path.slice(ports.folder.length + 1), Buffer.from(body), contentType);
  return result;
}

/**
 * A failing program proves nothing about the file; a file that cannot be decoded does.
 * @returns seconds of sound that were decoded
 */
async function decodeAndEncode(
  ports: EncodePorts,
  { probe: { demuxer }, timeline }: EncodePlan,
  audio: AudioStream,
  read: (stream: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<number> {
  try {
    const decode = decodeSoundArguments(audio, timeline, demuxer);
    return decodedSeconds(audio, await ports.ffmpegs(decode, encodeSoundArguments(audio, timeline), [read]));
  } catch (error) {
    if (error instanceof AppError && error.reason === 'tool_failed')
      await orCorrupt(ports.ffmpeg(tryDecodingArguments(audio, demuxer)), 'audio', 'cannot be decoded');
    throw error;
  }
}

/** Measures the shortest and the longest time between two frames, in ticks. */
function measureSteps() {
  let last: number | undefined;
  let [shortest, longest] = [Infinity, 0];
  return {
    add: (times: readonly number[]): void => {
      for (const time of times) {
        if (last !== undefined) [shortest, longest] = [Math.min(shortest, time - last), Math.max(longest, time - last)];
        last = time;
      }
    },
    result: (): AudioSteps => ({ shortest, longest }),
  };
}
