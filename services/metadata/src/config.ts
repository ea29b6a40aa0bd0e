/** The configuration of metadata. */
import { integer, text, withDefault, type ConfigSpec } from '@vds/chassis/config/config';
import { embeddingsConfig } from '@vds/chassis/embeddings/open-embedder';
import { objectsConfig } from '@vds/chassis/objects/objects';
import { adminRpcConfig, rpcServerConfig } from '@vds/chassis/rpc/rpc';
import { staffConfig } from '@vds/chassis/rpc/staff';
import { toolConfig } from '@vds/chassis/sandbox/tools';
import { workerConfig } from '@vds/chassis/stage/worker';

export const metadataConfig = {
  ...workerConfig,
  ...objectsConfig,
  ...rpcServerConfig,
  ...adminRpcConfig,
  ...staffConfig,
  /** The bucket of renditions. */
  mediaBucket: ['MEDIA_BUCKET', withDefault(text, 'media')],
  /** The bucket of transcripts. */
  captionsBucket: ['CAPTIONS_BUCKET', withDefault(text, 'captions')],
  /** Address of catalog. */
  catalogTarget: ['CATALOG_RPC', text],
  /** The scratch folder needs room for five minutes of two renditions per slot. */
  ...toolConfig,
  ...embeddingsConfig,
  /** Analyses, and documents that are written, at a time. */
  analyzeSlots: ['ANALYZE_SLOTS', withDefault(integer(0, 64), 2)],
  /** The most pictures per minute of a video that text is read from. */
  readingsPerMinute: ['READINGS_PER_MINUTE', withDefault(integer(0, 600), 8)],
} as const satisfies ConfigSpec;
