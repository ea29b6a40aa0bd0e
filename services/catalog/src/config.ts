/** Settings from the environment. Durations are written `90s`, `5m`, `24h`, `7d`. */
import { busConfig } from '@vds/chassis/bus/bus';
import { duration, integer, withDefault, type ConfigOf, type ConfigSpec } from '@vds/chassis/config/config';
import { databaseConfig } from '@vds/chassis/database/database';
import { retentionConfig } from '@vds/chassis/database/retention';
import { adminRpcConfig, rpcServerConfig } from '@vds/chassis/rpc/rpc';
import { staffConfig } from '@vds/chassis/rpc/staff';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 86_400_000;

/** The contract's times; tests shorten them. */
export const times = {
  /** How long an archived video still plays. */
  gateGraceMs: ['GATE_GRACE', withDefault(duration, 300 * SECOND)],
  /** How long a queued delete waits for running stages; with the scheduler's interval it must stay under 60 s. */
  deleteGraceMs: ['DELETE_GRACE', withDefault(duration, 30 * SECOND)],
  /** Until a failed video is deleted. */
  failedKeepMs: ['FAILED_KEEP', withDefault(duration, 7 * DAY)],
  /** How long a source is kept once its video is ready. */
  sourceKeepReadyMs: ['SOURCE_KEEP_READY', withDefault(duration, DAY)],
  /** How long a source is kept once its video has failed. */
  sourceKeepFailedMs: ['SOURCE_KEEP_FAILED', withDefault(duration, 7 * DAY)],
  /**
   * How long a video waits after its ladder for captions and metadata: at least this, else a quarter of its duration.
   */
  minAwaitMs: ['MIN_AWAIT', withDefault(duration, 2 * MINUTE)],
  /** The pause before the first repeat of a request; each further one is twice as long, up to `REPUBLISH_MAX`. */
  republishFirstMs: ['REPUBLISH_FIRST', withDefault(duration, 15 * SECOND)],
  /** The longest pause between two repeats. */
  republishMaxMs: ['REPUBLISH_MAX', withDefault(duration, MINUTE)],
  /** After a connection to NATS, how long nothing is decided on time: events in the streams come first. */
  decideAfterConnectMs: ['DECIDE_AFTER_CONNECT', withDefault(duration, 10 * SECOND)],
  /** How often the scheduler checks for expired times and due requests. */
  schedulerIntervalMs: ['SCHEDULER_INTERVAL', withDefault(duration, SECOND)],
} as const satisfies ConfigSpec;

export type Times = ConfigOf<typeof times>;

/** How long rows are kept. */
const retentionTimes = {
  /** How long a deleted video's record is readable. Its row stays as long as the video's audit. */
  deletedKeepMs: ['DELETED_KEEP', withDefault(duration, 90 * DAY)],
  /** How long confirmed purges are kept. */
  purgesKeepMs: ['PURGES_KEEP', withDefault(duration, 30 * DAY)],
  /** How long idempotency keys of partners are kept. */
  idempotencyKeepMs: ['IDEMPOTENCY_KEEP', withDefault(duration, DAY)],
  /** How long the daily counts of publishers are kept. */
  dailyCountsKeepMs: ['DAILY_COUNTS_KEEP', withDefault(duration, 400 * DAY)],
  /** How long the audit is kept. Never less than 30 days, whatever the setting: the database ensures it. */
  auditKeepMs: ['AUDIT_KEEP', withDefault(duration, 400 * DAY)],
} as const satisfies ConfigSpec;

export type RetentionTimes = ConfigOf<typeof retentionTimes>;

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
  ...retentionTimes,
  /**
   * How soon a video should be ready, in addition to its own duration: the measure of
   * `vds_catalog_time_to_ready_ratio`.
   */
  readyWithinMs: ['READY_WITHIN', withDefault(duration, 5 * MINUTE)],
  /** Republished messages per second, over all replicas. */
  republishRate: ['REPUBLISH_RATE', withDefault(integer(1, 10_000), 200)],
} as const satisfies ConfigSpec;
