/** Variables of the gateway, beside those of every service. */
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
import { parseNetworks, parsePinnedHosts, type Network, type PinnedHost } from '@vds/chassis/http/public-address';
import { rpcClientConfig } from '@vds/chassis/rpc/rpc-client';

/** A base address without a slash at its end. */
const base: Reader<string> = (value, name) => url(value, name).replace(/\/+$/, '');
const pins: Reader<ReadonlyMap<string, PinnedHost>> = (value, name) => parsePinnedHosts(commaSeparated(value, name));
const networks: Reader<readonly Network[]> = (value, name) => parseNetworks(commaSeparated(value, name));

export const gatewayConfig = {
  httpPort: ['HTTP_PORT', withDefault(integer(0, 65_535), 0)],
  authTarget: ['AUTH_RPC', text],
  catalogTarget: ['CATALOG_RPC', text],
  /** How long one call of a peer may take. */
  peerTimeoutMs: ['PEER_TIMEOUT', withDefault(duration, 3_000)],
  /** Where viewers reach playback; the addresses in status records begin with it. */
  playbackUrl: ['PLAYBACK_PUBLIC_URL', base],
  /** `host:port=ip[:port]`: hosts whose text speaks against them and that are trusted all the same. */
  privateSources: ['PRIVATE_SOURCES', pins],
  /** Ranges that the operator forbids beside those that are not public. */
  blockedNetworks: ['BLOCKED_CIDRS', networks],
  ...rpcClientConfig,
} as const satisfies ConfigSpec;
