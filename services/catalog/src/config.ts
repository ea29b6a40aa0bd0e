/** The configuration of catalog. Durations are written `90s`, `5m`, `24h`, `7d`. */
import { busConfig } from '@vds/chassis/bus/bus';
import { duration, integer, withDefault, type ConfigOf, type ConfigSpec } from '@vds/chassis/config/config';
import { scaled } from '@vds/chassis/config/times';
import { databaseConfig } from '@vds/chassis/database/database';
import { auditConfig, retentionConfig } from '@vds/chassis/database/retention';
import { adminRpcConfig, rpcServerConfig } from '@vds/chassis/rpc/rpc';
import { staffConfig } from '@vds/chassis/rpc/staff';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 86_400_000;

/** The contract's times. */
export const times = {
  ...scaled({
    /** How long an archived video still plays. */
    gateGraceMs: 5 * MINUTE,
    /** How long a queued delete waits for running stages; with the scheduler's interval it must stay under 60 s. */
    deleteGraceMs: 30 * SECOND,
    /**
     * How long a video waits after its ladder for captions and metadata: at least this, else a quarter of its duration.
     */
    minAwaitMs: 2 * MINUTE,
    /** The pause before the first repeat of a request; each further one is twice as long, up to `republishMaxMs`. */
    republishFirstMs: 15 * SECOND,
    /** The longest pause between two repeats. */
    republishMaxMs: MINUTE,
    /** After a connection to NATS, how long nothing is decided on time: events in the streams come first. */
    decideAfterConnectMs: 10 * SECOND,
    /** How often the scheduler checks for expired times and due requests. */
    schedulerEveryMs: SECOND,
  }),
  /** Until a failed video, and its source, are deleted. */
  failedKeepMs: ['FAILED_KEEP', withDefault(duration, 7 * DAY)],
  /** How long a source is kept once its video is ready. */
  sourcesKeepMs: ['SOURCES_KEEP', withDefault(duration, DAY)],
} as const satisfies ConfigSpec;

export type Times = ConfigOf<typeof times>;

export const config = {
  ...databaseConfig,
  /** Connections kept for calls of other services, besides `DATABASE_POOL_SIZE` for events and periodic tasks. */
  databaseRpcPoolSize: ['DATABASE_RPC_POOL_SIZE', withDefault(integer(1, 500), 5)],
  ...busConfig,
  ...rpcServerConfig,
  ...adminRpcConfig,
  ...staffConfig,
  ...times,
  ...retentionConfig,
  ...auditConfig,
  /**
   * How soon a video should be ready, in addition to its own duration: the measure of
   * `vds_catalog_time_to_ready_ratio`.
   */
  ...scaled({ readyWithinMs: 5 * MINUTE }),
} as const satisfies ConfigSpec;
