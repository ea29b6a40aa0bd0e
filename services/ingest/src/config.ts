/** The configuration of ingest. */
import {
  commaSeparated,
  integer,
  optional,
  text,
  withDefault,
  type ConfigOf,
  type ConfigSpec,
  type Reader,
} from '@vds/chassis/config/config';
import { scaled, unscaled } from '@vds/chassis/config/times';
import { objectsConfig } from '@vds/chassis/objects/objects';
import { parseNat64Prefixes, parseNetworks, parsePinnedHosts } from '@vds/chassis/net/public-address';
import { adminRpcConfig, rpcCallersConfig } from '@vds/chassis/rpc/rpc';
import { staffConfig } from '@vds/chassis/rpc/staff';
import { workerConfig } from '@vds/chassis/stage/worker';
import { defaultRetryPolicy } from './domain/retry.ts';

const KIB = 1024;
const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const MINUTE = 60_000;

/** What a source must send, over `rateWindowMs`. */
export const MIN_BYTES_PER_SECOND = 32 * 1024;
/** Buffers of a part each, for sources of unknown length. */
export const UNSIZED_BUFFERS = 8;
/** Slots, as a multiple of `FETCH_SLOTS`, only for fetches that waited longer than `startWithinMs`. */
export const OVERDUE_SHARE = 2;

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
  /** Address of catalog. */
  catalogTarget: ['CATALOG_RPC', text],
  /** The bucket of sources. */
  sourcesBucket: ['SOURCES_BUCKET', withDefault(text, 'sources')],

  /** Fetches at a time; a slot costs about a megabyte. */
  fetchSlots: ['FETCH_SLOTS', withDefault(integer(1, 1_000), 32)],
  ...scaled({
    /** How long a fetch waits before it may take one of the slots for overdue ones. */
    startWithinMs: 15 * MINUTE,
    /** How often fetches are looked for that have waited that long. */
    overdueEveryMs: 30_000,
    /** For faults of our own: the pauses between tries. */
    retryDelaysMs: [1_000, 5_000, 20_000, MINUTE],
    /** The least time between two reports of progress. */
    progressEveryMs: 2_000,
    /** How long a fetch may wait for its source: every try, and every pause after a fault of the source. */
    totalMs: 110 * MINUTE,
    /** Pauses between tries after a fault of the source. */
    sourceDelaysMs: defaultRetryPolicy.delaysMs,
    /** How long after the first fault of a source it is tried again. */
    retryWindowMs: defaultRetryPolicy.windowMs,
  }),
  /** Of a source: until its name is resolved, it is connected, TLS is up, the head of the response is there; of silence. */
  ...unscaled({ dnsMs: 10_000, connectMs: 10_000, tlsMs: 10_000, headersMs: 30_000, idleMs: 30_000 }),
  /** The time over which its least rate is measured. */
  ...unscaled({ rateWindowMs: MINUTE }),

  /** The largest source. */
  maxBytes: ['MAX_SOURCE_BYTES', withDefault(integer(1), 8 * GIB)],
  /** Length of a source's parts. A source that has begun keeps its own. */
  partBytes: ['SOURCE_PART_BYTES', withDefault(integer(64 * KIB, 32 * MIB), 8 * MIB)],
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
} as const satisfies ConfigSpec;

export type IngestConfig = ConfigOf<typeof ingestConfig>;
