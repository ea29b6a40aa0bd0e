/** Variables of indexer, besides those of every service. Durations are written `90s`, `5m`, `24h`, `7d`. */
import { busConfig } from '@vds/chassis/bus/bus';
import {
  choice,
  duration,
  flag,
  httpUrl,
  integer,
  optional,
  secret,
  text,
  withDefault,
  type ConfigSpec,
} from '@vds/chassis/config/config';
import { scaled, unscaled } from '@vds/chassis/config/times';
import { embeddingsConfig } from '@vds/chassis/embeddings/open-embedder';
import { objectsConfig } from '@vds/chassis/objects/objects';
import { adminRpcConfig, rpcServerConfig } from '@vds/chassis/rpc/rpc';
import { staffConfig } from '@vds/chassis/rpc/staff';

const DAY = 86_400_000;

export const indexerConfig = {
  /** Where OpenSearch is. */
  openSearchUrl: ['OPENSEARCH_URL', httpUrl],
  /** `password`: OPENSEARCH_USER, where it has any. `aws`: requests signed with the role of the pod. */
  openSearchAuth: ['OPENSEARCH_AUTH', withDefault(choice('password', 'aws'), 'password' as const)],
  /** Its user, where it has any. */
  openSearchUser: ['OPENSEARCH_USER', optional(text)],
  /** The user's password. */
  openSearchPassword: ['OPENSEARCH_PASSWORD', optional(secret)],
  /** PEM file of authorities beside those that Node.js trusts. */
  openSearchCaFile: ['OPENSEARCH_CA_FILE', optional(text)],
  /** Prefix of the names of all indexes and aliases. */
  indexPrefix: ['INDEX_PREFIX', withDefault(text, 'vds-')],
  /**
   * Copies of each index beside the first one, on other nodes of OpenSearch: 0 with a single node; applied to existing
   * indexes at the start.
   */
  indexReplicas: ['INDEX_REPLICAS', withDefault(integer(0, 10), 1)],
  /** Shards of a new index: a search uses a processor for each. */
  indexShards: ['INDEX_SHARDS', withDefault(integer(1, 64), 1)],
  /** Address of catalog. */
  catalogTarget: ['CATALOG_RPC', text],
  /** Address of metadata. */
  metadataTarget: ['METADATA_RPC', text],
  /** The bucket of transcripts. */
  captionsBucket: ['CAPTIONS_BUCKET', withDefault(text, 'captions')],
  /** Changes written at a time. */
  concurrency: ['INDEX_CONCURRENCY', withDefault(integer(1, 64), 4)],
  ...scaled({
    /** How often the index is compared with catalog's list, so that no change depends only on a message. */
    sweepEveryMs: 10_000,
    /** How long a replaced index stays for readers who page through it. */
    oldIndexKeepMs: 150_000,
    /** A reindex whose replica has not renewed its lease for this long is continued by another one. */
    reindexLeaseMs: 30_000,
    /** How long figures of what viewers watch stay that no later computation has replaced. */
    watchedKeepMs: 7 * DAY,
    /** How long the next page of a search may be requested. */
    cursorKeepMs: 120_000,
  }),
  ...unscaled({
    /** How long one request to OpenSearch may take. */
    openSearchTimeoutMs: 10_000,
    /** How long one call of another service may take, and one request to the bucket. */
    clientTimeoutMs: 5_000,
    /** After ten times this time a video's freshness counts half in recommendations. */
    feedHalfLifeMs: 3 * DAY,
  }),
  /** How long tombstones of deleted videos are kept. */
  tombstonesKeepMs: ['TOMBSTONES_KEEP', withDefault(duration, 30 * DAY)],
  /** Start a reindex automatically when the served index has an older mapping than this program's. */
  reindexOnBoot: ['REINDEX_ON_BOOT', withDefault(flag, false)],
  ...embeddingsConfig,
  ...busConfig,
  ...objectsConfig,
  ...rpcServerConfig,
  ...adminRpcConfig,
  ...staffConfig,
} as const satisfies ConfigSpec;
