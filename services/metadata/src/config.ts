/** The configuration of metadata. */
import { tmpdir } from 'node:os';
import { busConfig } from '@vds/chassis/bus/bus';
import { duration, integer, optional, text, withDefault, type ConfigSpec } from '@vds/chassis/config/config';
import { databaseConfig } from '@vds/chassis/database/database';
import { objectsConfig } from '@vds/chassis/objects/objects';
import { adminRpcConfig, rpcServerConfig } from '@vds/chassis/rpc/rpc';
import { rpcClientConfig } from '@vds/chassis/rpc/rpc-client';

const gibibyte = 2 ** 30;

export const metadataConfig = {
  ...databaseConfig,
  ...busConfig,
  ...objectsConfig,
  ...rpcServerConfig,
  ...adminRpcConfig,
  ...rpcClientConfig,
  mediaBucket: ['MEDIA_BUCKET', withDefault(text, 'media')],
  captionsBucket: ['CAPTIONS_BUCKET', withDefault(text, 'captions')],
  /** How long one request to a bucket may take, to the last byte of its response. */
  s3TimeoutMs: ['S3_TIMEOUT', withDefault(duration, 60_000)],
  catalogTarget: ['CATALOG_RPC', text],
  /** Empty: ffmpeg-static's program if it is there and runs, else `ffmpeg` on PATH. */
  ffmpegPath: ['FFMPEG_PATH', optional(text)],
  /** Empty: `tesseract` on PATH. If it does not run, no text on screen is read. */
  tesseractPath: ['TESSERACT_PATH', optional(text)],
  /** Needs room for five minutes of two renditions per slot. */
  scratchDir: ['SCRATCH_DIR', withDefault(text, tmpdir())],
  /** Address space of a child program. */
  childMemoryBytes: ['CHILD_MEMORY', withDefault(integer(gibibyte / 4), 4 * gibibyte)],
  analyzeSlots: ['ANALYZE_SLOTS', withDefault(integer(0, 64), 2)],
  documentSlots: ['DOCUMENT_SLOTS', withDefault(integer(0, 64), 2)],
  purgeSlots: ['PURGE_SLOTS', withDefault(integer(0, 64), 1)],
  /** The most pictures per minute of a video that text is read from. */
  readingsPerMinute: ['READINGS_PER_MINUTE', withDefault(integer(0, 600), 8)],
  leaseMs: ['WORK_LEASE', withDefault(duration, 60_000)],
  renewMs: ['WORK_RENEW', withDefault(duration, 20_000)],
  /** Delay of a purge's final sweep, which removes what a worker wrote after it lost its lease. */
  purgeAgainMs: ['PURGE_AGAIN_AFTER', withDefault(duration, 660_000)],
} as const satisfies ConfigSpec;
