/** The configuration of transcode. */
import { tmpdir } from 'node:os';
import { busConfig } from '@vds/chassis/bus/bus';
import { choice, duration, integer, optional, text, withDefault, type ConfigSpec } from '@vds/chassis/config/config';
import { databaseConfig } from '@vds/chassis/database/database';
import { objectsConfig } from '@vds/chassis/objects/objects';
import { rpcServerConfig } from '@vds/chassis/rpc/rpc';

const gibibyte = 2 ** 30;

export const transcodeConfig = {
  ...databaseConfig,
  ...busConfig,
  ...objectsConfig,
  ...rpcServerConfig,
  sourcesBucket: ['SOURCES_BUCKET', withDefault(text, 'sources')],
  mediaBucket: ['MEDIA_BUCKET', withDefault(text, 'media')],
  /** Empty: ffmpeg-static's program if it is there and runs, else `ffmpeg` on PATH; `ffprobe` on PATH. */
  ffmpegPath: ['FFMPEG_PATH', optional(text)],
  ffprobePath: ['FFPROBE_PATH', optional(text)],
  /** Needs room for a source and a piece of it per slot. */
  scratchDir: ['SCRATCH_DIR', withDefault(text, tmpdir())],
  /** Address space of a child program. */
  childMemoryBytes: ['CHILD_MEMORY', withDefault(integer(gibibyte / 4), 8 * gibibyte)],
  inspectSlots: ['INSPECT_SLOTS', withDefault(integer(0, 64), 2)],
  encodeSlots: ['ENCODE_SLOTS', withDefault(integer(0, 64), 2)],
  purgeSlots: ['PURGE_SLOTS', withDefault(integer(0, 64), 1)],
  preset: [
    'ENCODE_PRESET',
    withDefault(choice('ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium'), 'veryfast'),
  ],
  /** Threads of a decoder or encoder; 0 leaves it to ffmpeg, which uses the number of cores. */
  encodeThreads: ['ENCODE_THREADS', withDefault(integer(0, 128), 0)],
  maxDurationMs: ['MAX_DURATION', withDefault(duration, 6 * 3_600_000)],
  /** The pictures of a video must last at least this long. */
  minDurationMs: ['MIN_DURATION', withDefault(duration, 100)],
  maxFrameRate: ['MAX_FRAME_RATE', withDefault(integer(1, 1_000), 240)],
  maxPixels: ['MAX_PIXELS', withDefault(integer(1), 8_192 * 4_320)],
  maxStreams: ['MAX_STREAMS', withDefault(integer(1), 64)],
  /** Videos shorter than this are encoded in one piece. */
  wholeBelowMs: ['WHOLE_BELOW', withDefault(duration, 120_000)],
  /** Usual length of a piece; a multiple of the 6 s of a segment keeps segments even. */
  pieceMs: ['PIECE_LENGTH', withDefault(duration, 60_000)],
  leaseMs: ['WORK_LEASE', withDefault(duration, 60_000)],
  renewMs: ['WORK_RENEW', withDefault(duration, 20_000)],
  /** Delay of a purge's final sweep, which removes what a worker wrote after it lost its lease. */
  purgeAgainMs: ['PURGE_AGAIN_AFTER', withDefault(duration, 660_000)],
} as const satisfies ConfigSpec;
