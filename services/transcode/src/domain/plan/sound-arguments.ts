/**
 * Command lines of the audio rendition. One ffmpeg decodes and mixes, a second one encodes: where channels, layout or
 * rate change in mid-track, ffmpeg builds a new filter graph and forgets what the old one held. So every filter with a
 * memory (silence for gaps, resampling, the limiter, the encoder) reads from a stream that never changes.
 */
import type { AudioStream } from '../source/probe.ts';
import type { Demuxer } from '../source/sniff.ts';
import type { Timeline } from '../source/timeline.ts';
import { FIRST_PIPE, fragments, input, line, quiet } from './encode-arguments.ts';
import { mixOf } from './sound-mix.ts';

export const AUDIO_SAMPLE_RATE = 48_000;
/** Samples of an AAC frame. */
export const AUDIO_FRAME = 1_024;
/** Seconds that sound may be off its time before silence is added or sound is cut: smaller gaps may add up. */
const MAX_LAG = 0.025;
/** Decoded sound keeps its rate, and so nothing is resampled before the second program; speech at 8 kHz is the exception. */
const MIN_RATE = 32_000;

/** Decodes the sound to standard output: two channels of one rate, on the video's clock, from its zero on. */
export function decodeSoundArguments(audio: AudioStream, timeline: Timeline, demuxer: Demuxer): string[] {
  const rate = decodedRate(audio);
  const { filters, options } = mixOf(audio);
  const chain = [
    `asetpts='PTS-(${timeline.zero.toFixed(7)})/TB'`,
    'atrim=start=0',
    ...filters,
    `aresample=${rate}:${options}`,
    `aformat=sample_fmts=flt:sample_rates=${rate}:channel_layouts=stereo`,
  ];
  const decoded = ['-c:a', 'pcm_f32le', '-map_metadata', '-1', '-f', 'nut', 'pipe:1'];
  return line(quiet, '-copyts', input(demuxer), only(audio), ['-af', chain.join(',')], decoded);
}

function decodedRate({ sampleRate }: AudioStream): number {
  return sampleRate < MIN_RATE ? AUDIO_SAMPLE_RATE : sampleRate;
}

/** Seconds of sound in this many bytes of the decoder's output. */
export function decodedSeconds(audio: AudioStream, bytes: number): number {
  const sampleBytes = 2 * Float32Array.BYTES_PER_ELEMENT;
  return bytes / sampleBytes / decodedRate(audio);
}

function only({ index }: AudioStream): string[] {
  return ['-map', `0:${index}`, '-vn', '-sn', '-dn'];
}

/**
 * Encodes the decoder's output: silence where sound starts late, has gaps or ends before the video does, peaks below
 * full scale.
 */
export function encodeSoundArguments(audio: AudioStream, { end }: Timeline): string[] {
  const samples = Math.ceil(end * AUDIO_SAMPLE_RATE);
  const chain = [
    `aresample=${AUDIO_SAMPLE_RATE}:async=1:min_hard_comp=${MAX_LAG}:first_pts=0`,
    // A slow release, or the limiter would follow the waves of low tones.
    `alimiter=limit=${mixOf(audio).limit}:level=disabled:latency=1:release=500`,
    `aformat=sample_fmts=fltp:sample_rates=${AUDIO_SAMPLE_RATE}:channel_layouts=stereo`,
    // What a decoder adds to the last packet is not in the file.
    `apad=whole_len=${samples}`,
    `atrim=end_sample=${samples}`,
  ];
  return line(
    quiet,
    '-copyts',
    ['-protocol_whitelist', 'pipe', '-f', 'nut', '-i', 'pipe:0'],
    ['-af', chain.join(',')],
    ['-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-map_metadata', '-1'],
    ['-frag_duration', '2000000'],
    fragments,
    `pipe:${FIRST_PIPE}`,
  );
}

/** Decodes the sound and discards it: a failure here is the file's fault. */
export function tryDecodingArguments(audio: AudioStream, demuxer: Demuxer): string[] {
  return line(quiet, input(demuxer), only(audio), ['-f', 'null', '-']);
}
