/** A chunk of the video's first audio rendition, as its final segments; of a short video, or without an index, all of it. */
import { AppError } from '@vds/chassis/errors';
import { createRendition } from '../cmaf/rendition.ts';
import { verifyFrames, type AudioSteps } from '../hls/verify-output.ts';
import { printedHashes, sourceName } from '../plan/encode-arguments.ts';
import type { EncodePlan } from '../plan/encode-plan.ts';
import { SEGMENT_SECONDS } from '../plan/segment-grid.ts';
import {
  decodedSeconds,
  decodeSoundArguments,
  encodeSoundArguments,
  tryDecodingArguments,
} from '../plan/sound-arguments.ts';
import { AUDIO_SAMPLE_RATE } from '../plan/sound-rate.ts';
import { wholeSound, type SoundChunk } from '../plan/sound-chunks.ts';
import { orCorrupt } from '../source/policy.ts';
import type { AudioStream } from '../source/probe.ts';
import type { CopiedRun, PacketHash } from '../source/stored-packets.ts';
import { readKnown, readProvisional } from './copy-piece.ts';
import type { EncodePorts } from './encode-ports.ts';
import type { EncodedAlternate, EncodedSound } from '../plan/job-results.ts';

/**
 * @param isProvisional the source is still being fetched
 * @throws AppError INVALID_ARGUMENT `source_corrupt` if none of it can be decoded; as `readProvisional`, too
 */
export async function encodeSound(
  ports: EncodePorts,
  plan: EncodePlan,
  index: number,
  isProvisional = false,
): Promise<EncodedSound> {
  const { audio } = plan.probe;
  const chunk = plan.sound[index];
  if (!audio || !chunk) throw new AppError('INTERNAL', `the video has no chunk ${index} of sound`);
  const made: { sound?: EncodedSound } = {};
  const encode = async (): Promise<PacketHash[]> => {
    const isLast = index === plan.sound.length - 1;
    const { packets, ...sound } = await encodeOnce(ports, plan, audio, { ...chunk, isLast });
    made.sound = { kind: 'sound', ...sound };
    return packets;
  };
  const copied = await readAndEncode(ports, plan, audio, chunk, isProvisional, encode);
  if (!made.sound) throw new AppError('INTERNAL', `chunk ${index} of sound was not encoded`);
  return { ...made.sound, ...(copied && { copied }) };
}

/** A failing program proves nothing about the file; a file that cannot be decoded does. */
async function readAndEncode(
  ports: EncodePorts,
  plan: EncodePlan,
  audio: AudioStream,
  { index, part }: SoundChunk,
  isProvisional: boolean,
  encode: () => Promise<PacketHash[]>,
): Promise<CopiedRun | undefined> {
  const what = { name: `chunk ${index} of sound`, bytes: part?.bytes, copy: encode };
  if (part && isProvisional) return readProvisional(ports, plan, { ...what, bytes: part.bytes });
  try {
    if (part) await readKnown(ports, plan, { ...what, bytes: part.bytes });
    else {
      await ports.fetch(sourceName);
      await encode();
    }
  } catch (error) {
    if (error instanceof AppError && error.reason === 'tool_failed')
      await orCorrupt(ports.ffmpeg(tryDecodingArguments(audio, plan.probe.demuxer)), 'audio', 'cannot be decoded');
    throw error;
  }
  return undefined;
}

/**
 * Another track of sound, as a whole.
 * @returns without segments where nothing of it can be decoded, which costs the video nothing
 */
export async function encodeAlternate(ports: EncodePorts, plan: EncodePlan, index: number): Promise<EncodedAlternate> {
  const audio = plan.probe.alternates?.[index];
  const [chunk] = wholeSound(plan.timeline);
  if (!audio || !chunk) throw new AppError('INTERNAL', `the video has no other track ${index} of sound`);
  await ports.fetch(sourceName);
  const { packets: _packets, ...sound } = await encodeOnce(ports, plan, audio, { ...chunk, index, isLast: true });
  const isSilent = sound.missing >= plan.timeline.soundLength;
  return { kind: 'alternate', ...sound, ...(isSilent && { segments: [] }) };
}

async function encodeOnce(
  ports: EncodePorts,
  plan: EncodePlan,
  audio: AudioStream,
  chunk: SoundChunk & { readonly isLast: boolean },
) {
  const { index, from, until, part, isLast } = chunk;
  const options = {
    name: 'a',
    // The AAC frame in which a cell begins belongs to it: segments are at most a frame off the pictures' grid.
    grid: { cell: SEGMENT_SECONDS * AUDIO_SAMPLE_RATE, tolerance: 0 },
    shift: 0,
    // Fragments of a chunk are numbered from a number that no chunk before it can reach.
    sequence: index * 1_000_000 + 1,
    end: isLast ? undefined : until,
    own: { from, to: isLast ? Infinity : until },
  };
  const steps = measureSteps();
  const rendition = createRendition(options, {
    put: (file, bytes) => ports.put(`a/${file}`, bytes, 'audio/mp4'),
    reached: (times) => {
      steps.add(times);
      ports.progress(Math.min(99, (((times.at(-1) ?? from) - from) / (until - from)) * 100));
    },
  });
  const printed = printedHashes();
  const bytes = await ports.ffmpegs(
    decodeSoundArguments(audio, plan.timeline, plan.probe.demuxer, chunk),
    encodeSoundArguments(audio, plan.timeline, chunk),
    { first: part ? [printed.read] : [], second: [rendition.read] },
  );
  const encoded = rendition.result();
  verifyFrames(encoded, steps.result());
  const missing = Math.max(0, (part?.length ?? plan.timeline.soundLength) - decodedSeconds(audio, bytes));
  return { index, folder: ports.folder, missing, ...encoded, packets: printed.packets() };
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
