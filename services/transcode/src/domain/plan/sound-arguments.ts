/**
 * Command lines of the audio rendition. One ffmpeg decodes and mixes, a second one encodes: where channels, layout or
 * rate change in mid-track, ffmpeg builds a new filter graph and forgets what the old one held. So every filter with a
 * memory (silence for gaps, resampling, the limiter, the encoder) reads from a stream that never changes. What these
 * remember ends with the run-up of a chunk.
 */
import { MAX_LAG } from '../source/frame-scan.ts';
import type { AudioStream } from '../source/probe.ts';
import type { Demuxer } from '../source/sniff.ts';
import type { Timeline } from '../source/timeline.ts';
import { FIRST_PIPE, fragments, hashes, input, line, quiet } from './encode-arguments.ts';
import type { SoundChunk } from './sound-chunks.ts';
import { mixOf } from './sound-mix.ts';
import { AUDIO_FRAME, AUDIO_SAMPLE_RATE, decodedRate, LOOKAHEAD } from './sound-rate.ts';

/** The encoder's scale: about 128 kb/s for music. A bit rate would make every frame depend on all before it. */
const QUALITY = '1.3';

/**
 * Decodes a chunk to standard output: two channels of one rate, on the video's clock, from its zero on. Where parts of the
 * source are read, the hashes of its packets are printed, as a copy's are.
 */
export function decodeSoundArguments(
  audio: AudioStream,
  { zero }: Timeline,
  demuxer: Demuxer,
  { part }: Pick<SoundChunk, 'part'>,
): string[] {
  const rate = decodedRate(audio);
  const { filters, options } = mixOf(audio);
  const chain = [
    `asetpts='PTS-(${zero.toFixed(7)})/TB'`,
    part ? `atrim=start=${part.decodeFrom.toFixed(6)}:end=${part.decodeTo.toFixed(6)}` : 'atrim=start=0',
    ...filters,
    `aresample=${rate}:${options}`,
    `aformat=sample_fmts=flt:sample_rates=${rate}:channel_layouts=stereo`,
  ];
  const decoded = ['-c:a', 'pcm_f32le', '-map_metadata', '-1', '-f', 'nut', 'pipe:1'];
  const copied = part && [...only(audio), '-c', 'copy', '-copypriorss', '1', '-to', (zero + part.decodeTo).toFixed(6)];
  return line(
    quiet,
    part?.seek === undefined ? [] : ['-ss', part.seek.toFixed(6), '-noaccurate_seek'],
    '-copyts',
    // Noise by what a frame holds, not by what was decoded before.
    /^e?ac3$/.test(audio.codec) ? ['-cons_noisegen', '1'] : [],
    input(demuxer),
    only(audio),
    ['-af', chain.join(',')],
    decoded,
    copied ? [...copied, ...hashes] : [],
  );
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
export function encodeSoundArguments(audio: AudioStream, { end }: Timeline, { part, until }: SoundChunk): string[] {
  const rate = decodedRate(audio);
  const start = part?.start ?? 0;
  const all = Math.ceil(end * AUDIO_SAMPLE_RATE) - start;
  const isLast = until - start >= all;
  const samples = isLast ? all : until + LOOKAHEAD - start;
  const chain = [
    // Before resampling, where places are whole samples.
    `aresample=${rate}:async=1:min_comp=0.000001:min_hard_comp=${MAX_LAG}:first_pts=${(start * rate) / AUDIO_SAMPLE_RATE}`,
    `aresample=${AUDIO_SAMPLE_RATE}`,
    // A slow release, or the limiter would follow the waves of low tones.
    `alimiter=limit=${mixOf(audio).limit}:level=disabled:latency=1:release=500`,
    planar,
    `apad=whole_len=${samples}`,
    // What a decoder adds to the last packet is not in the file. What follows another chunk is left out later: a program
    // that ends before all is read would break the one that writes.
    ...(isLast ? [`atrim=end_sample=${samples}`] : []),
  ];
  return line(
    quiet,
    '-copyts',
    ['-protocol_whitelist', 'pipe', '-f', 'nut', '-i', 'pipe:0'],
    ['-filter_complex', [...preludes, `[0:a]${chain.join(',')}[sound]`, joined(start)].join(';'), '-map', '[out]'],
    // Noise that a decoder makes up, and the encoder's name in some frames, would depend on the number of the frame.
    ['-c:a', 'aac', '-q:a', QUALITY, '-aac_pns', '0', '-flags:a', '+bitexact', '-ac', '2', '-map_metadata', '-1'],
    ['-frag_duration', '2000000'],
    fragments,
    `pipe:${FIRST_PIPE}`,
  );
}

const planar = `aformat=sample_fmts=fltp:sample_rates=${AUDIO_SAMPLE_RATE}:channel_layouts=stereo`;
/**
 * What the encoder hears before every chunk, and before all sound. Where a frame is hard to encode, it lowers its demands
 * on some bands for good; here it lowers all that it can, so that it does not depend on the sound when it has. Bursts, a
 * rumble and a sweep, eight seconds; then silence, as before the beginning of a title.
 */
const preludes = [
  `anoisesrc=r=${AUDIO_SAMPLE_RATE}:a=0.7:d=4:seed=1,volume='if(lt(mod(t,0.11),0.02),1,0.01)':eval=frame,${planar}[bursts]`,
  `anoisesrc=r=${AUDIO_SAMPLE_RATE}:a=0.9:d=2:seed=2:color=brown,volume=3,${planar}[rumble]`,
  `aevalsrc='0.8*sin(2*PI*(100+400*t*t)*t)':s=${AUDIO_SAMPLE_RATE}:d=2,apad=pad_len=${8 * AUDIO_FRAME},${planar}[sweep]`,
];
const PRELUDE = 8 * AUDIO_SAMPLE_RATE + 8 * AUDIO_FRAME;

/** @param start sample of the rendition at which the sound begins */
function joined(start: number): string {
  return `[bursts][rumble][sweep][sound]concat=n=4:v=0:a=1,asettb=1/${AUDIO_SAMPLE_RATE},asetpts=NB_CONSUMED_SAMPLES+${start - PRELUDE}[out]`;
}

/** Decodes the sound and discards it: a failure here is the file's fault. */
export function tryDecodingArguments(audio: AudioStream, demuxer: Demuxer): string[] {
  return line(quiet, input(demuxer), only(audio), ['-f', 'null', '-']);
}
