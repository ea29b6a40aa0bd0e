/** The configuration of transcode. */
import {
  choice,
  duration,
  flag,
  integer,
  optional,
  text,
  withDefault,
  type ConfigSpec,
} from '@vds/chassis/config/config';
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
  /** Empty: `ffprobe` on PATH. */
  ffprobePath: ['FFPROBE_PATH', optional(text)],
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
  /** Whether the largest rung consists of the source's own packets where these are what it would be encoded to. */
  copyTop: ['COPY_TOP_RUNG', withDefault(flag, true)],
  /** Threads of a decoder or encoder; 0: as many as there are cores. */
  encodeThreads: ['ENCODE_THREADS', withDefault(integer(0, 128), 0)],
  /** The longest video. */
  maxDurationMs: ['MAX_DURATION', withDefault(duration, 6 * 3_600_000)],
  /** The pictures of a video must last at least this long. */
  minDurationMs: ['MIN_DURATION', withDefault(duration, 100)],
  /** The highest frame rate of a source. */
  maxFrameRate: ['MAX_FRAME_RATE', withDefault(integer(1, 1_000), 240)],
  /** The most pixels of a picture. */
  maxPixels: ['MAX_PIXELS', withDefault(integer(1), 8_192 * 4_320)],
  /** The most tracks of a source. */
  maxStreams: ['MAX_STREAMS', withDefault(integer(1), 64)],
  /** Thousands of millions of pixels that one video may take, decoded and encoded: 6 hours of 8K at 30 a second. */
  maxWork: ['MAX_WORK', withDefault(integer(1), 26_000)],
  /** Videos shorter than this are encoded in one piece. */
  wholeBelowMs: ['WHOLE_BELOW', withDefault(duration, 120_000)],
  /** Usual length of a piece; a multiple of the 6 s of a segment keeps segments even. */
  pieceMs: ['PIECE_LENGTH', withDefault(duration, 60_000)],
} as const satisfies ConfigSpec;
