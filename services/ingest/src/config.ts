/** The configuration of ingest. */
import {
  commaSeparated,
  duration,
  durations,
  integer,
  optional,
  text,
  withDefault,
  type ConfigOf,
  type ConfigSpec,
  type Reader,
} from '@vds/chassis/config/config';
import { objectsConfig } from '@vds/chassis/objects/objects';
import { parseNat64Prefixes, parseNetworks, parsePinnedHosts } from '@vds/chassis/net/public-address';
import { adminRpcConfig, rpcCallersConfig } from '@vds/chassis/rpc/rpc';
import { staffConfig } from '@vds/chassis/rpc/staff';
import { workerConfig } from '@vds/chassis/stage/worker';

const KIB = 1024;
const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const MINUTE = 60_000;

/** Parses a comma-separated list; errors name the variable. */
function listOf<T>(read: (items: readonly string[], name: string) => T): Reader<T> {
  return (value, name) => {
    try {
      return read(commaSeparated(value, name), name);
    } catch (cause) {
      throw new Error(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  };
}

export const ingestConfig = {
  ...workerConfig,
  ...objectsConfig,
  ...rpcCallersConfig,
  ...adminRpcConfig,
  ...staffConfig,
  /** The bucket of sources. */
  sourcesBucket: ['SOURCES_BUCKET', withDefault(text, 'sources')],

  /** Fetches at a time; a slot costs about a megabyte. */
  fetchSlots: ['FETCH_SLOTS', withDefault(integer(1, 1_000), 32)],
  /** Further slots, only for fetches that waited longer than `START_WITHIN`. */
  overdueSlots: ['OVERDUE_SLOTS', withDefault(integer(1, 1_000), 64)],
  /** How long a fetch waits before it may take one of `OVERDUE_SLOTS`. */
  startWithinMs: ['START_WITHIN', withDefault(duration, 15 * MINUTE)],
  /** How often fetches are looked for that have waited that long. */
  sweepEveryMs: ['OVERDUE_SWEEP', withDefault(duration, 30_000)],
  /** For faults of our own: the pauses between tries. */
  retryDelaysMs: ['WORK_RETRY_DELAYS', withDefault(durations, [1_000, 5_000, 20_000, 60_000])],
  /** The least time between two reports of progress. */
  progressEveryMs: ['PROGRESS_EVERY', withDefault(duration, 2_000)],
  /** Purges at a time. */
  purgeSlots: ['PURGE_SLOTS', withDefault(integer(0, 64), 2)],

  /** The largest source. */
  maxBytes: ['MAX_SOURCE_BYTES', withDefault(integer(1), 8 * GIB)],
  /** Length of a source's parts. A source that has begun keeps its own. */
  partBytes: ['SOURCE_PART_BYTES', withDefault(integer(64 * KIB, 32 * MIB), 8 * MIB)],
  /** Buffers of a part each, for sources of unknown length. */
  unsizedBuffers: ['UNSIZED_BUFFERS', withDefault(integer(1, 256), 8)],
  /** Address ranges that are rejected as if they were not public. */
  blockedNetworks: ['BLOCKED_CIDRS', listOf(parseNetworks)],
  /** Networks below which DNS64 puts IPv4 addresses, besides 64:ff9b::/96. */
  nat64Prefixes: ['NAT64_PREFIXES', listOf(parseNat64Prefixes)],
  /** `host:port=ip[:port]`: source hosts that are exempt from the address rules. */
  pinnedHosts: ['PRIVATE_SOURCES', listOf(parsePinnedHosts)],
  /** `ip[:port]` of the DNS servers; empty: the system's. */
  dnsServers: ['DNS_SERVERS', commaSeparated],
  /** PEM file of a certificate authority that is trusted in addition to the system's. */
  extraCaFile: ['SOURCE_CA_FILE', optional(text)],

  /** How long resolving a name may take. */
  dnsMs: ['DNS_TIMEOUT', withDefault(duration, 10_000)],
  /** How long a connection to a source may take. */
  connectMs: ['CONNECT_TIMEOUT', withDefault(duration, 10_000)],
  /** How long its TLS handshake may take. */
  tlsMs: ['TLS_TIMEOUT', withDefault(duration, 10_000)],
  /** How long a source may take until the head of its response. */
  headersMs: ['HEADERS_TIMEOUT', withDefault(duration, 30_000)],
  /** How long a source may send nothing. */
  idleMs: ['IDLE_TIMEOUT', withDefault(duration, 30_000)],
  /** Bytes a second that a source must send, over `MIN_RATE_WINDOW`. */
  minBytesPerSecond: ['MIN_RATE', withDefault(integer(0), 32 * 1024)],
  /** The time over which `MIN_RATE` is measured. */
  rateWindowMs: ['MIN_RATE_WINDOW', withDefault(duration, MINUTE)],
  /** How long a fetch may wait for its source: every try, and every pause after a fault of the source. */
  totalMs: ['TOTAL_TIMEOUT', withDefault(duration, 110 * MINUTE)],
  /** Pauses between tries after a fault of the source; by default `retry.ts`'s. */
  sourceDelaysMs: ['RETRY_DELAYS', optional(durations)],
  /** How long after the first fault of a source it is tried again. */
  retryWindowMs: ['RETRY_WINDOW', withDefault(duration, 14 * MINUTE)],
} as const satisfies ConfigSpec;

export type IngestConfig = ConfigOf<typeof ingestConfig>;
