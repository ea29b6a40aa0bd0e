/** Configuration of playback, besides that of every service. */
import { busConfig } from '@vds/chassis/bus/bus';
import {
  commaSeparated,
  integer,
  optional,
  text,
  withDefault,
  type ConfigSpec,
  type Reader,
} from '@vds/chassis/config/config';
import { scaled, unscaled } from '@vds/chassis/config/times';
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
  ...unscaled({ peerTimeoutMs: 2_000 }),
  /** The bucket of renditions. */
  mediaBucket: ['MEDIA_BUCKET', withDefault(text, 'media')],
  /** The bucket of caption tracks. */
  captionsBucket: ['CAPTIONS_BUCKET', withDefault(text, 'captions')],
  ...scaled({
    /** How long a cached gate is fresh. */
    gateFreshMs: 15_000,
    /** How long a cached gate is used while catalog is down. */
    gateStaleMs: 300_000,
  }),
  /** Header with a viewer's country (ISO 3166-1), set by a hop of `TRUSTED_HOPS`, such as cf-ipcountry. */
  countryHeader: ['COUNTRY_HEADER', optional(header)],
  /** File of a database of countries (mmdb), in place of the one inside, which has IPv4 alone. */
  countryDatabase: ['COUNTRY_DATABASE', optional(text)],
  /** Ranges of proxies whose headers name the viewer and the country. */
  trustedHops: ['TRUSTED_HOPS', networks],
  /** Size of the stream of views; its consumer is seconds behind it. */
  viewsMaxBytes: ['VIEWS_STREAM_MAX_BYTES', withDefault(integer(1_048_576), 2 ** 29)],
  ...busConfig,
  ...objectsConfig,
  /** How long a bucket may be silent; shorter than for workers: a viewer waits. The viewer's speed does not count. */
  ...unscaled({ s3TimeoutMs: 8_000 }),
  ...rpcClientConfig,
} as const satisfies ConfigSpec;
