/** Configuration of the gateway, besides that of every service. */
import {
  commaSeparated,
  integer,
  text,
  url,
  withDefault,
  type ConfigSpec,
  type Reader,
} from '@vds/chassis/config/config';
import { unscaled } from '@vds/chassis/config/times';
import { parseNetworks, parsePinnedHosts, type Network, type PinnedHost } from '@vds/chassis/net/public-address';
import { rpcClientConfig } from '@vds/chassis/rpc/rpc-client';

/** A base address without a trailing slash. */
const base: Reader<string> = (value, name) => url(value, name).replace(/\/+$/, '');
const pins: Reader<ReadonlyMap<string, PinnedHost>> = (value, name) => parsePinnedHosts(commaSeparated(value, name));
const networks: Reader<readonly Network[]> = (value, name) => parseNetworks(commaSeparated(value, name));

export const gatewayConfig = {
  /** Port for partners; 0: any free one. */
  httpPort: ['HTTP_PORT', withDefault(integer(0, 65_535), 0)],
  /** Address of auth, `dns:///host:port`. */
  authTarget: ['AUTH_RPC', text],
  /** Address of catalog. */
  catalogTarget: ['CATALOG_RPC', text],
  /** Deadline of one call to auth or catalog; twice as long for `CreateVideo`. */
  ...unscaled({ peerTimeoutMs: 3_000 }),
  /** Public base address of playback: of the addresses in `playback` and of our thumbnails. */
  playbackUrl: ['PLAYBACK_PUBLIC_URL', base],
  /** `host:port=ip[:port]`, between commas: hosts of `source_url` that are exempt from the address rules. */
  privateSources: ['PRIVATE_SOURCES', pins],
  /** Address ranges that are rejected as if they were not public. */
  blockedNetworks: ['BLOCKED_CIDRS', networks],
  /** Ranges of proxies whose `X-Forwarded-For` names the client; without it a proxy is one client. */
  trustedHops: ['TRUSTED_HOPS', networks],
  ...rpcClientConfig,
} as const satisfies ConfigSpec;
