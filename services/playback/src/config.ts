/** Configuration of playback, besides that of every service. */
import { busConfig } from '@vds/chassis/bus/bus';
import {
  commaSeparated,
  duration,
  integer,
  optional,
  text,
  withDefault,
  type ConfigSpec,
  type Reader,
} from '@vds/chassis/config/config';
import { parseNetworks, type Network } from '@vds/chassis/net/public-address';
import { objectsConfig } from '@vds/chassis/objects/objects';
import { rpcClientConfig } from '@vds/chassis/rpc/rpc-client';

const header: Reader<string> = (value, name) => text(value, name).toLowerCase();
const networks: Reader<readonly Network[]> = (value, name) => parseNetworks(commaSeparated(value, name));

export const playbackConfig = {
  httpPort: ['HTTP_PORT', withDefault(integer(0, 65_535), 0)],
  authTarget: ['AUTH_RPC', text],
  catalogTarget: ['CATALOG_RPC', text],
  transcodeTarget: ['TRANSCODE_RPC', text],
  /** Deadline of one call to auth, catalog or transcode. */
  peerTimeoutMs: ['PEER_TIMEOUT', withDefault(duration, 2_000)],
  mediaBucket: ['MEDIA_BUCKET', withDefault(text, 'media')],
  captionsBucket: ['CAPTIONS_BUCKET', withDefault(text, 'captions')],
  issuer: ['TOKEN_ISSUER', withDefault(text, 'vds-auth')],
  audience: ['TOKEN_AUDIENCE', withDefault(text, 'vds-playback')],
  /** Tolerated clock skew between auth and this machine. */
  skewMs: ['TOKEN_SKEW', withDefault(duration, 30_000)],
  /** How long a cached gate is fresh. */
  gateFreshMs: ['GATE_FRESH', withDefault(duration, 15_000)],
  /** How long a cached gate is used while catalog is down. */
  gateStaleMs: ['GATE_STALE', withDefault(duration, 300_000)],
  /** A viewer who reads nothing for this long, or less than VIEWER_MIN_RATE, is disconnected. */
  idleMs: ['VIEWER_IDLE', withDefault(duration, 60_000)],
  /** A viewer who takes fewer bytes a second than this, over VIEWER_IDLE, is disconnected; the lowest rungs are 20 times faster. */
  viewerMinRate: ['VIEWER_MIN_RATE', withDefault(integer(0), 1_024)],
  /** Connections of viewers; beyond it they are closed at once. */
  maxConnections: ['MAX_CONNECTIONS', withDefault(integer(1), 10_000)],
  /** Of a country (ISO 3166-1), set by a hop of TRUSTED_HOPS, such as cf-ipcountry. */
  countryHeader: ['COUNTRY_HEADER', optional(header)],
  /** A MaxMind database of countries (mmdb). */
  countryDatabase: ['COUNTRY_DATABASE', optional(text)],
  trustedHops: ['TRUSTED_HOPS', networks],
  /** Bounds of the stream of views; its consumer is seconds behind it. */
  viewsMaxBytes: ['VIEWS_STREAM_MAX_BYTES', withDefault(integer(1_048_576), 2 ** 29)],
  viewsMaxAgeMs: ['VIEWS_STREAM_MAX_AGE', withDefault(duration, 3 * 86_400_000)],
  ...busConfig,
  ...objectsConfig,
  /** How long a bucket may be silent; shorter than for workers: a viewer waits. The viewer's speed does not count. */
  s3TimeoutMs: ['S3_TIMEOUT', withDefault(duration, 8_000)],
  ...rpcClientConfig,
} as const satisfies ConfigSpec;
