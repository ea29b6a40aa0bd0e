/** The configuration of transcode. */
import { choice, duration, integer, text, withDefault, type ConfigSpec } from '@vds/chassis/config/config';
import { unscaled } from '@vds/chassis/config/times';
import { objectsConfig } from '@vds/chassis/objects/objects';
import { adminRpcConfig, rpcServerConfig } from '@vds/chassis/rpc/rpc';
import { staffConfig } from '@vds/chassis/rpc/staff';
import { toolConfig } from '@vds/chassis/sandbox/tools';
import { workerConfig } from '@vds/chassis/stage/worker';
import { DEFAULT_CRF, DEFAULT_PRESET, presets } from './domain/plan/effort.ts';

const GIBIBYTE = 2 ** 30;

export const transcodeConfig = {
  ...workerConfig,
  ...objectsConfig,
  ...rpcServerConfig,
  ...adminRpcConfig,
  ...staffConfig,
  /** The scratch folder needs room for a source and a piece of it per slot. */
  ...toolConfig,
  /** The bucket of sources. */
  sourcesBucket: ['SOURCES_BUCKET', withDefault(text, 'sources')],
  /** The bucket of renditions. */
  mediaBucket: ['MEDIA_BUCKET', withDefault(text, 'media')],
  /** The most that one program may take, in bytes. */
  childMemoryBytes: ['CHILD_MEMORY', withDefault(integer(GIBIBYTE / 4), 8 * GIBIBYTE)],
  /** Inspections at a time. */
  inspectSlots: ['INSPECT_SLOTS', withDefault(integer(0, 64), 2)],
  /** Pieces that are encoded at a time. */
  encodeSlots: ['ENCODE_SLOTS', withDefault(integer(0, 64), 2)],
  /** x264's preset: slower ones make smaller files. */
  preset: ['ENCODE_PRESET', withDefault(choice(...presets), DEFAULT_PRESET)],
  /** x264's quality: a lower value is better and larger. */
  crf: ['ENCODE_CRF', withDefault(integer(15, 35), DEFAULT_CRF)],
  /** Threads of a decoder or encoder; 0: as many as there are cores. */
  encodeThreads: ['ENCODE_THREADS', withDefault(integer(0, 128), 0)],
  /** The longest video. */
  maxDurationMs: ['MAX_DURATION', withDefault(duration, 6 * 3_600_000)],
  /** Lines of the largest rendition of H.264, if a source has them: 1080, 1440 or 2160. */
  largestRung: ['LARGEST_RUNG', withDefault(choice('1080', '1440', '2160'), '1080' as const)],
  /** Audio tracks of a source that are delivered, the first one included. */
  audioTracks: ['AUDIO_TRACKS', withDefault(integer(1, 32), 8)],
  /** Thousands of millions of pixels that one video may take, decoded and encoded: 6 hours of 8K at 30 a second. */
  maxWork: ['MAX_WORK', withDefault(integer(1), 26_000)],
  /** Videos shorter than this are encoded in one piece. */
  ...unscaled({ wholeBelowMs: 120_000 }),
  /** Usual length of a piece; a multiple of the 6 s of a segment keeps segments even. */
  pieceMs: ['PIECE_LENGTH', withDefault(duration, 60_000)],
} as const satisfies ConfigSpec;
