/** AuthService over gRPC: what the request path and the viewers' path ask. */
import { auth } from '@vds/proto';
import type { AuthServiceHandlers } from '@vds/proto/generated/vds/auth/v1/AuthService.ts';
import { AppError } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import { service, type Methods, type Served } from '@vds/chassis/rpc/rpc';
import { parseApiKey, type ApiKey } from '../domain/api-key.ts';
import { playbackClaims, type PlaybackClaims } from '../domain/playback-token.ts';
import type { Decision } from '../outbound/minute-window.ts';
import { randomBase62 } from '../outbound/random-text.ts';

export type Deps = {
  /** Checks a key and takes a place; null for a key that opens nothing. */
  readonly decide: (key: ApiKey) => Promise<Decision | null>;
  /** Moves a key's hash from an older pepper to the current one. */
  readonly rehash: (key: ApiKey, previousPepperId: string) => Promise<void>;
  readonly sign: (claims: PlaybackClaims) => Promise<string>;
  readonly jwks: () => Promise<string>;
};
export type AuthSettings = {
  readonly currentPepperId: string;
  readonly issuer: string;
  readonly audience: string;
  readonly jwksMaxAgeMs: number;
};
type AuthMethods = Methods<AuthServiceHandlers>;

/** The methods, once a process: both ports serve them. */
export function authMethods(door: Deps, settings: AuthSettings, log: Logger, metrics: Metrics): AuthMethods {
  return {
    Authorize: authorize(door, settings, log, metrics),
    MintPlaybackToken: mint(door, settings, metrics),
    GetJwks: async () => ({ json: await door.jwks(), maxAgeSeconds: Math.ceil(settings.jwksMaxAgeMs / 1_000) }),
  };
}

function authorize(door: Deps, settings: AuthSettings, log: Logger, metrics: Metrics): AuthMethods['Authorize'] {
  const decisions = metrics.counter('vds_auth_decisions_total', 'Decisions about API keys', ['outcome']);
  return async ({ key: text }) => {
    const key = parseApiKey(text);
    if (!key) {
      decisions.inc({ outcome: 'malformed' });
      throw invalidCredentials();
    }
    const decision = await door.decide(key);
    decisions.inc({ outcome: outcomeOf(decision) });
    if (!decision) throw invalidCredentials();
    const { pepperId, ...reply } = decision;
    if (pepperId !== settings.currentPepperId) {
      // The request is right already; the next one of this key tries again.
      door
        .rehash(key, pepperId)
        .catch((error: unknown) => log.warn({ err: error, key_id: key.id }, 'a key keeps its older pepper for now'));
    }
    return reply;
  };
}

/** One sentence for every key that opens nothing, so that nobody learns why (spec §5.6). */
function invalidCredentials(): AppError {
  return new AppError('UNAUTHENTICATED', 'The API key is malformed, unknown or revoked.', {
    reason: 'invalid_credentials',
  });
}

function outcomeOf(decision: Decision | null): string {
  if (!decision) return 'refused';
  return decision.minute.admitted ? 'admitted' : 'limited';
}

function mint(door: Deps, settings: AuthSettings, metrics: Metrics): AuthMethods['MintPlaybackToken'] {
  const tokens = metrics.counter('vds_auth_playback_tokens_total', 'Playback tokens signed', ['caller']);
  return async ({ playbackId, durationMs }, { caller }) => {
    const { issuer, audience } = settings;
    const claims = playbackClaims({ playbackId, durationMs, now: Date.now(), issuer, audience, jti: randomBase62(22) });
    const token = await door.sign(claims);
    tokens.inc({ caller });
    return { token, expiresAtMs: claims.exp * 1_000 };
  };
}

/** The service as the other services call it. */
export function authService(methods: AuthMethods): Served {
  return service<AuthServiceHandlers>(
    auth.AuthService.service,
    { Authorize: ['gateway'], MintPlaybackToken: ['apps', 'demo', 'vdsctl'], GetJwks: ['playback'] },
    methods,
  );
}

/** The same on the admin port, where the operator's staff may mint a token and nothing else. */
export function authServiceForStaff(methods: AuthMethods): Served {
  return service<AuthServiceHandlers>(
    auth.AuthService.service,
    { Authorize: [], MintPlaybackToken: ['vdsctl'], GetJwks: [] },
    methods,
  );
}
