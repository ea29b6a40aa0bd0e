/** Configuration of the gateway, beside that of every service. */
import { duration, list, or, text, url, whole, type ConfigSpec, type Reader } from '@vds/chassis/config/config';
import { parseNetworks, parsePinnedHosts, type Network, type PinnedHost } from '@vds/chassis/http/public-address';
import { rpcClientConfig } from '@vds/chassis/rpc/rpc';

/** A base address without a trailing slash. */
const base: Reader<string> = (value, name) => url(value, name).replace(/\/+$/, '');
const pins: Reader<ReadonlyMap<string, PinnedHost>> = (value, name) => parsePinnedHosts(list(value, name));
const networks: Reader<readonly Network[]> = (value, name) => parseNetworks(list(value, name));

export const gatewayConfig = {
  httpPort: ['HTTP_PORT', or(whole(0, 65_535), 0)],
  authTarget: ['AUTH_RPC', text],
  catalogTarget: ['CATALOG_RPC', text],
  /** Deadline of one call to auth or catalog. */
  peerTimeoutMs: ['PEER_TIMEOUT', or(duration, 3_000)],
  /** Public base address of playback; the addresses in status records start with it. */
  playbackUrl: ['PLAYBACK_PUBLIC_URL', base],
  /** `host:port=ip[:port]`: source hosts exempt from the address rules. */
  privateSources: ['PRIVATE_SOURCES', pins],
  /** Ranges that are rejected beside those that are not public. */
  blockedNetworks: ['BLOCKED_CIDRS', networks],
  ...rpcClientConfig,
} as const satisfies ConfigSpec;
