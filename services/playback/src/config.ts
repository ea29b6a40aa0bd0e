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
  /** Port for viewers; 0: any free one. */
  httpPort: ['HTTP_PORT', withDefault(integer(0, 65_535), 0)],
  /** Address of auth (`GetJwks`). */
  authTarget: ['AUTH_RPC', text],
  /** Address of catalog (`ResolvePlayback`). */
  catalogTarget: ['CATALOG_RPC', text],
  /** Address of transcode (`GetPreview`, for previews by staff and apps). */
  transcodeTarget: ['TRANSCODE_RPC', text],
  /** Deadline of one call to auth, catalog or transcode. */
  peerTimeoutMs: ['PEER_TIMEOUT', withDefault(duration, 2_000)],
  /** The bucket of renditions. */
  mediaBucket: ['MEDIA_BUCKET', withDefault(text, 'media')],
  /** The bucket of caption tracks. */
  captionsBucket: ['CAPTIONS_BUCKET', withDefault(text, 'captions')],
  /** `iss` that a token must have; as configured in auth. */
  issuer: ['TOKEN_ISSUER', withDefault(text, 'vds-auth')],
  /** `aud` that a token must have; as configured in auth. */
  audience: ['TOKEN_AUDIENCE', withDefault(text, 'vds-playback')],
  /** How long after its expiry a token is accepted, by auth's clock. */
  skewMs: ['TOKEN_SKEW', withDefault(duration, 30_000)],
  /** How long a cached gate is fresh. */
  gateFreshMs: ['GATE_FRESH', withDefault(duration, 15_000)],
  /** How long a cached gate is used while catalog is down. */
  gateStaleMs: ['GATE_STALE', withDefault(duration, 300_000)],
  /** A viewer who reads nothing for this long is disconnected. */
  idleMs: ['VIEWER_IDLE', withDefault(duration, 60_000)],
  /** A viewer who takes fewer bytes a second than this, over VIEWER_IDLE, is disconnected; the lowest rungs are 20 times faster. */
  viewerMinRate: ['VIEWER_MIN_RATE', withDefault(integer(0), 1_024)],
  /** Connections of viewers; beyond it they are closed at once. */
  maxConnections: ['MAX_CONNECTIONS', withDefault(integer(1), 10_000)],
  /** Header with a viewer's country (ISO 3166-1), set by a hop of `TRUSTED_HOPS`, such as cf-ipcountry. */
  countryHeader: ['COUNTRY_HEADER', optional(header)],
  /** File of a MaxMind database of countries (mmdb). */
  countryDatabase: ['COUNTRY_DATABASE', optional(text)],
  /** Ranges of proxies whose headers name the viewer and the country. */
  trustedHops: ['TRUSTED_HOPS', networks],
  /** Size of the stream of views; its consumer is seconds behind it. */
  viewsMaxBytes: ['VIEWS_STREAM_MAX_BYTES', withDefault(integer(1_048_576), 2 ** 29)],
  /** How long reports of views stay in it. */
  viewsMaxAgeMs: ['VIEWS_STREAM_MAX_AGE', withDefault(duration, 3 * 86_400_000)],
  ...busConfig,
  ...objectsConfig,
  /** How long a bucket may be silent; shorter than for workers: a viewer waits. The viewer's speed does not count. */
  s3TimeoutMs: ['S3_TIMEOUT', withDefault(duration, 8_000)],
  ...rpcClientConfig,
} as const satisfies ConfigSpec;
