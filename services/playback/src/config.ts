/** Variables of playback, beside those of every service. */
import { busConfig } from '@vds/chassis/bus/bus';
import { duration, integer, text, withDefault, type ConfigSpec } from '@vds/chassis/config/config';
import { objectsConfig } from '@vds/chassis/objects/objects';
import { rpcClientConfig } from '@vds/chassis/rpc/rpc-client';

export const playbackConfig = {
  httpPort: ['HTTP_PORT', withDefault(integer(0, 65_535), 0)],
  authTarget: ['AUTH_RPC', text],
  catalogTarget: ['CATALOG_RPC', text],
  /** How long one call of a peer may take. */
  peerTimeoutMs: ['PEER_TIMEOUT', withDefault(duration, 2_000)],
  mediaBucket: ['MEDIA_BUCKET', withDefault(text, 'media')],
  captionsBucket: ['CAPTIONS_BUCKET', withDefault(text, 'captions')],
  /** How long until a bucket begins to answer; how fast a viewer then reads is his own affair. */
  s3TimeoutMs: ['S3_TIMEOUT', withDefault(duration, 10_000)],
  issuer: ['TOKEN_ISSUER', withDefault(text, 'vds-auth')],
  audience: ['TOKEN_AUDIENCE', withDefault(text, 'vds-playback')],
  /** How far the clocks of auth and of this machine may be apart. */
  skewMs: ['TOKEN_SKEW', withDefault(duration, 30_000)],
  /** How long catalog's word about a video holds. */
  gateFreshMs: ['GATE_FRESH', withDefault(duration, 15_000)],
  /** How long it holds while catalog is away. */
  gateStaleMs: ['GATE_STALE', withDefault(duration, 300_000)],
  /** A viewer who takes nothing for that long is let go. */
  idleMs: ['VIEWER_IDLE', withDefault(duration, 60_000)],
  ...busConfig,
  ...objectsConfig,
  ...rpcClientConfig,
} as const satisfies ConfigSpec;
