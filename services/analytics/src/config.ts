/** The configuration of analytics. */
import { busConfig } from '@vds/chassis/bus/bus';
import {
  choice,
  duration,
  httpUrl,
  integer,
  optional,
  secret,
  text,
  withDefault,
  type ConfigOf,
  type ConfigSpec,
} from '@vds/chassis/config/config';
import { scaled } from '@vds/chassis/config/times';
import { AppError } from '@vds/chassis/errors';
import { databaseConfig } from '@vds/chassis/database/database';
import { retentionConfig } from '@vds/chassis/database/retention';
import { objectsConfig } from '@vds/chassis/objects/objects';
import { adminRpcConfig, rpcCallersConfig } from '@vds/chassis/rpc/rpc';
import { staffConfig } from '@vds/chassis/rpc/staff';

const DAY_MS = 86_400_000;

export const analyticsConfig = {
  ...databaseConfig,
  ...busConfig,
  ...retentionConfig,
  ...objectsConfig,
  ...rpcCallersConfig,
  ...adminRpcConfig,
  ...staffConfig,
  /** Address of catalog. */
  catalogTarget: ['CATALOG_RPC', text],
  /** `files`: Parquet in the bucket. `clickhouse`: every replica inserts its batches there, and no file is written. */
  store: ['ANALYTICS_STORE', withDefault(choice('files', 'clickhouse'), 'files' as const)],
  /** ClickHouse's HTTP interface: `http://user@host:port/database`, by default of `default` and `vds`. */
  clickhouseUrl: ['CLICKHOUSE_URL', optional(httpUrl)],
  /** The user's password. */
  clickhousePassword: ['CLICKHOUSE_PASSWORD', optional(secret)],
  /** Tables are replicated on this cluster; a single server without it. */
  clickhouseCluster: ['CLICKHOUSE_CLUSTER', optional(text)],
  /** The bucket of performance data. */
  analyticsBucket: ['ANALYTICS_BUCKET', withDefault(text, 'analytics')],
  ...scaled({
    /** How long the first event of a batch waits for others. */
    flushEveryMs: 60_000,
    /** How often files are merged, and replaced ones removed; and what viewers watch is computed if it is due. */
    compactEveryMs: 600_000,
    /** How often interest in videos is computed from the last days. */
    behaviourHourMs: 3_600_000,
    /** How often videos that are watched together are computed from months. */
    behaviourNightMs: DAY_MS,
    /** How long a file that was replaced stays for its readers. */
    replacedKeepMs: 900_000,
    /** How long the lock of the active replica outlives it. */
    leaderLeaseMs: 15_000,
  }),
  /** How long events are kept. */
  keepMs: ['EVENTS_KEEP', withDefault(duration, 800 * DAY_MS)],
  /** Bytes that DuckDB may take, which merges and answers queries. */
  queryMemory: ['QUERY_MEMORY', withDefault(integer(67_108_864), 268_435_456)],
  /** Room for the files of one query or merge. */
  scratchDir: ['SCRATCH_DIR', withDefault(text, '/tmp')],
} as const satisfies ConfigSpec;

/** The settings of ClickHouse; undefined where files are the store. @throws AppError where its address is missing */
export function clickhouseOf(config: ConfigOf<typeof analyticsConfig>) {
  if (config.store === 'files') return undefined;
  const { clickhouseUrl, clickhousePassword: password = '', clickhouseCluster: cluster, keepMs } = config;
  if (clickhouseUrl === undefined)
    throw new AppError('INVALID_ARGUMENT', 'ANALYTICS_STORE=clickhouse needs CLICKHOUSE_URL');
  const { origin: url, username, pathname } = new URL(clickhouseUrl);
  const user = decodeURIComponent(username) || 'default';
  return { url, user, password, database: pathname.slice(1) || 'vds', cluster, keepMs };
}
