/** AuthService over gRPC: authorization of partner requests, playback tokens and their key set. */
import { auth } from '@vds/proto';
import type { AuthServiceHandlers } from '@vds/proto/generated/vds/auth/v1/AuthService.ts';
import { AppError } from '@vds/chassis/errors';
import { service, type Methods, type Served } from '@vds/chassis/rpc/rpc';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import { parseApiKey, type ApiKey } from '../domain/api-key.ts';
import { checkViewerId } from '../domain/playback-token.ts';
import type { KeyRing } from '../outbound/key-ring.ts';
import type { Decision } from '../outbound/minute-window.ts';
import { currentKeys } from '../outbound/staff-verifier.ts';
import type { TokenMint } from '../outbound/mint-token.ts';

export type Deps = {
  /** Checks a key and counts the request; null for an unknown or revoked key, or a wrong secret. */
  readonly decide: (key: ApiKey, requestId: string | undefined) => Promise<Decision | null>;
  /** Moves a key's hash from an older pepper to the current one. */
  readonly rehash: (key: ApiKey, previousPepperId: string) => Promise<void>;
  /** The organization of a publisher, and the key of its viewers' hashes. @throws AppError NOT_FOUND */
  readonly describePublisher: (publisherId: string) => Promise<{ organizationId: string; viewerKey: Buffer }>;
  readonly hashViewer: (viewerId: string) => string;
  readonly keyRing: Pick<KeyRing, 'jwks'>;
  readonly mint: Pick<TokenMint, 'playback' | 'processing'>;
  /** Whether apps may mint tokens for videos that are still being processed. */
  readonly appsPreview: boolean;
  readonly currentPepperId: string;
  readonly jwksMaxAgeMs: number;
  readonly log: Logger;
  readonly metrics: Metrics;
};
type AuthMethods = Methods<AuthServiceHandlers>;

/** The methods, created once per process: both ports serve them. */
export function authMethods(deps: Deps): AuthMethods {
  return {
    Authorize: authorize(deps),
    MintPlaybackToken: mintPlaybackToken(deps),
    DescribePublisher: ({ publisherId }) => deps.describePublisher(publisherId),
    GetJwks: () => currentKeys(deps.keyRing, deps.jwksMaxAgeMs),
  };
}

function authorize({ decide, rehash, currentPepperId, log, metrics }: Deps): AuthMethods['Authorize'] {
  const decisions = metrics.counter('vds_auth_decisions_total', 'Decisions about API keys', ['outcome']);
  return async ({ key: text, requestId }) => {
    const key = parseApiKey(text);
    const decision = key && (await decide(key, requestId === '' ? undefined : requestId));
    if (!key || !decision) {
      decisions.inc({ outcome: key ? 'rejected' : 'malformed' });
      // One response for every key that does not authenticate, so that it reveals nothing (spec §5.6).
      throw new AppError('UNAUTHENTICATED', 'The API key is malformed, unknown or revoked.', {
        reason: 'invalid_credentials',
      });
    }
    const { pepperId, ...reply } = decision;
    decisions.inc({ outcome: reply.minute.admitted ? 'admitted' : 'limited' });
    if (pepperId !== currentPepperId) {
      // Not awaited: this request is already authorized, and the key's next request retries.
      rehash(key, pepperId).catch((error: unknown) =>
        log.warn({ err: error, key_id: key.id }, 'key not rehashed with the current pepper'),
      );
    }
    return reply;
  };
}

function mintPlaybackToken({ mint, appsPreview, hashViewer, metrics }: Deps): AuthMethods['MintPlaybackToken'] {
  const tokens = metrics.counter('vds_auth_playback_tokens_total', 'Playback tokens signed', ['caller']);
  return async ({ playbackId, videoId, durationMs, viewerId, excerpt }, { caller }) => {
    if (playbackId !== '' && videoId !== '')
      throw new AppError('INVALID_ARGUMENT', 'give playback_id or video_id, not both');
    if (videoId !== '' && !(appsPreview && caller === 'apps'))
      throw new AppError('PERMISSION_DENIED', 'videos that are being processed are not open to apps (apps.preview)');
    if (videoId !== '' && excerpt)
      throw new AppError('INVALID_ARGUMENT', 'an excerpt needs a playback_id: the video is not ready yet');
    const viewer = checkViewerId(viewerId) && hashViewer(viewerId);
    const minted = await (videoId === ''
      ? mint.playback({ playbackId, durationMs, viewer, excerpt: excerpt ?? undefined })
      : mint.processing({ videoId, durationMs, viewer }));
    tokens.inc({ caller });
    return minted;
  };
}

/** They verify tokens of staff. */
const servicesWithAdminPorts = ['analytics', 'captions', 'catalog', 'indexer', 'ingest', 'metadata', 'transcode'];
/** Callers on the port for other services; on the admin port the operator's staff may mint tokens and nothing else. */
const callers = {
  rpc: {
    Authorize: ['gateway'],
    MintPlaybackToken: ['apps', 'vdsctl'],
    DescribePublisher: ['analytics'],
    GetJwks: ['playback', ...servicesWithAdminPorts],
  },
  admin: { Authorize: [], MintPlaybackToken: ['vdsctl'], DescribePublisher: [], GetJwks: [] },
};

/** The service as one of the ports serves it. */
export function authService(methods: AuthMethods, port: keyof typeof callers): Served {
  return service<AuthServiceHandlers>(auth.AuthService.service, callers[port], methods);
}
