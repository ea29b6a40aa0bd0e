/** Configuration of the gateway, besides that of every service. */
import {
  commaSeparated,
  duration,
  integer,
  text,
  url,
  withDefault,
  type ConfigSpec,
  type Reader,
} from '@vds/chassis/config/config';
import { parseNetworks, parsePinnedHosts, type Network, type PinnedHost } from '@vds/chassis/net/public-address';
import { rpcClientConfig } from '@vds/chassis/rpc/rpc-client';

/** A base address without a trailing slash. */
const base: Reader<string> = (value, name) => url(value, name).replace(/\/+$/, '');
const pins: Reader<ReadonlyMap<string, PinnedHost>> = (value, name) => parsePinnedHosts(commaSeparated(value, name));
const networks: Reader<readonly Network[]> = (value, name) => parseNetworks(commaSeparated(value, name));

export const gatewayConfig = {
  httpPort: ['HTTP_PORT', withDefault(integer(0, 65_535), 0)],
  authTarget: ['AUTH_RPC', text],
  catalogTarget: ['CATALOG_RPC', text],
  /** Deadline of one call to auth or catalog. */
  peerTimeoutMs: ['PEER_TIMEOUT', withDefault(duration, 3_000)],
  /** Public base address of playback; the addresses in status records start with it. */
  playbackUrl: ['PLAYBACK_PUBLIC_URL', base],
  /** `host:port=ip[:port]`: source hosts exempt from the address rules. */
  privateSources: ['PRIVATE_SOURCES', pins],
  /** Ranges that are rejected besides those that are not public. */
  blockedNetworks: ['BLOCKED_CIDRS', networks],
  /** Invalid keys that one client address may send per minute; beyond it only keys that were accepted lately are checked. */
  refusalsPerMinute: ['REFUSALS_PER_MINUTE', withDefault(integer(1), 600)],
  /** Connections of partners; beyond it they are closed at once. */
  maxConnections: ['MAX_CONNECTIONS', withDefault(integer(1), 5_000)],
  /** Hops whose X-Forwarded-For counts. */
  trustedHops: ['TRUSTED_HOPS', networks],
  ...rpcClientConfig,
} as const satisfies ConfigSpec;
