/** The sound of an interval as a WAV file for speech engines: fetched from storage, decoded in a sandbox. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { AppError, classify, messageOf } from '@vds/chassis/errors';
import { getDocument } from '@vds/chassis/objects/documents';
import type { Objects } from '@vds/chassis/objects/objects';
import { readLeftFile, writeFreshFile } from '@vds/chassis/objects/left-file';
import { soundMeter, type AnalyzedSecond } from '@vds/chassis/sound/features';
import { runProgram, type SandboxOptions } from '@vds/chassis/sandbox/programs';
import { findFfmpeg } from '@vds/chassis/sandbox/tools';
import { mediaPlaylist, type MediaPlaylist } from '@vds/proto/documents/media-playlist';
import { createEnvelope } from '../domain/speech/envelope.ts';
import { createPitchMeter } from '../domain/speech/pitch.ts';
import { createChannelChooser, takeChannel, type Channel } from '../domain/speech/choose-channel.ts';

export type SoundTools = SandboxOptions & { readonly ffmpeg: string };

/** The sound itself cannot be read: the only error that fails the stage. */
export const unreadable = 'sound_unreadable';

const SAMPLE_RATE = 16_000;
const HEADER_BYTES = 44;
/** An hour of stereo; intervals are minutes. */
const MAX_SOUND = 3_600 * SAMPLE_RATE * 4;

export type Interval = {
  /** Key of the init segment. */
  readonly init: string;
  /** Keys of consecutive segments. */
  readonly segments: readonly string[];
};

export type Sound = {
  readonly wavPath: string;
  readonly durationMs: number;
  /** Its envelope (domain/speech/envelope.ts). */
  readonly levels: readonly number[];
  /** Of its voices (domain/speech/pitch.ts). */
  readonly pitches: readonly number[];
  /** Measurements of each second. */
  readonly seconds: readonly AnalyzedSecond[];
};

/** Finds ffmpeg and checks that it runs. */
export async function findSoundTools(sandbox: SandboxOptions, ffmpegPath: string | undefined): Promise<SoundTools> {
  const ffmpeg = await findFfmpeg(ffmpegPath);
  sandbox.log.info({ ffmpeg: ffmpeg.version }, 'media tools');
  return { ...sandbox, ffmpeg: ffmpeg.path };
}

/** @throws AppError INTERNAL with reason `sound_unreadable` where the playlist does not exist or is invalid */
export function fetchPlaylist(media: Objects, key: string): Promise<MediaPlaylist> {
  return getDocument(media, key, mediaPlaylist).catch(asUnreadable);
}

function asUnreadable(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  if (classify(error).missing || error.code === 'INVALID_ARGUMENT' || error.reason === 'tool_failed')
    throw new AppError('INTERNAL', `the sound cannot be read: ${messageOf(error)}`, {
      reason: unreadable,
      cause: error,
    });
  throw error;
}

/**
 * Writes the interval as `sound.wav` (16 kHz, mono, 16 bit) into the scratch folder: the mix of both channels, or what of
 * them has more speech. Its first sample is the first of the first segment.
 * @throws AppError INTERNAL with reason `sound_unreadable` where a segment is missing or cannot be decoded
 */
export async function extractSound(
  tools: SoundTools,
  media: Objects,
  interval: Interval,
  {
    scratch,
    signal,
    soundCues,
  }: { readonly scratch: string; readonly signal: AbortSignal; readonly soundCues: boolean },
): Promise<Sound> {
  // Init segment and segments in one file: a fragmented mp4 that any demuxer reads.
  const keys = [interval.init, ...interval.segments];
  await media.joinToFile(keys, join(scratch, 'sound.mp4'), signal).catch(asUnreadable);
  const call = { name: 'ffmpeg', command: tools.ffmpeg, args: decodeArguments('sound.mp4', 'stereo.pcm') };
  await runProgram(tools, call, { scratch, signal, niceness: 10, timeoutMs: 300_000 }).catch(asUnreadable);
  const bytes = await readLeftFile(join(scratch, 'stereo.pcm'), MAX_SOUND);
  await rm(join(scratch, 'stereo.pcm'));
  const stereo = new Int16Array(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length - (bytes.length % 4)),
  );
  const heard = takeChannel(stereo, await channelOf(stereo, signal));
  const wavPath = join(scratch, 'sound.wav');
  await writeFreshFile(wavPath, wavOf(heard));
  const measured = await measure(heard, signal, soundCues);
  return { wavPath, durationMs: Math.round((heard.length / SAMPLE_RATE) * 1_000), ...measured };
}

function decodeArguments(input: string, output: string): string[] {
  return [
    ['-hide_banner', '-nostdin', '-v', 'error', '-protocol_whitelist', 'file', '-format_whitelist', 'mov'],
    ['-f', 'mov', '-i', `file:${input}`, '-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1'],
    ['-ac', '2', '-ar', String(SAMPLE_RATE), '-c:a', 'pcm_s16le', '-f', 's16le', '-y', output],
  ].flat();
}

async function channelOf(stereo: Int16Array, signal: AbortSignal): Promise<Channel> {
  const chooser = createChannelChooser(SAMPLE_RATE);
  for await (const second of secondsOf(stereo, 2 * SAMPLE_RATE, signal)) chooser.add(second);
  return chooser.result();
}

async function measure(
  samples: Int16Array,
  signal: AbortSignal,
  soundCues: boolean,
): Promise<Pick<Sound, 'levels' | 'pitches' | 'seconds'>> {
  const { add, levels } = createEnvelope(SAMPLE_RATE);
  const pitch = createPitchMeter(SAMPLE_RATE);
  const meter = soundCues ? soundMeter() : undefined;
  for await (const second of secondsOf(samples, SAMPLE_RATE, signal))
    second.forEach((sample) => {
      add(sample);
      pitch.add(sample);
      meter?.add(sample);
    });
  return { levels, pitches: pitch.pitches, seconds: meter?.end() ?? [] };
}

/** Other work runs between two seconds of sound. */
async function* secondsOf(samples: Int16Array, size: number, signal: AbortSignal): AsyncGenerator<Int16Array> {
  for (let from = 0; from < samples.length; from += size) {
    yield samples.subarray(from, from + size);
    await setImmediate(undefined, { signal });
  }
}

/** A WAV file of one channel of 16 bits. */
function wavOf(samples: Int16Array): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(HEADER_BYTES - 8 + samples.byteLength, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE, 24);
  header.writeUInt32LE(SAMPLE_RATE * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.byteLength, 40);
  return Buffer.concat([header, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)]);
}
