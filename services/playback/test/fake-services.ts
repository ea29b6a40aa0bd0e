/** Fake auth and catalog: gRPC servers on a real socket with scripted replies, and tokens as auth signs them. */
import { createHash, randomUUID } from 'node:crypto';
import { auth, catalog } from '@vds/proto';
import type { AuthServiceHandlers } from '@vds/proto/generated/vds/auth/v1/AuthService.ts';
import type { CatalogServiceHandlers } from '@vds/proto/generated/vds/catalog/v1/CatalogService.ts';
import type { ResolvedPlayback } from '@vds/proto/generated/vds/catalog/v1/ResolvedPlayback.ts';
import { AppError } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { serveRpc, service, type Methods } from '@vds/chassis/rpc/rpc';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { noTls } from '@vds/testkit/harness/rpc-callers';

export const RPC_TOKEN = 'token-of-playback';
const callers = [`playback=${createHash('sha256').update(RPC_TOKEN).digest('hex')}`];

/** The state of both services; tests change it while they run. */
export type FakeState = {
  /** `closesAt`: when catalog closes the gate, on the monotonic clock of this process. */
  readonly videos: Map<string, ResolvedPlayback & { readonly closesAt?: number }>;
  /** Published keys, as a JWK Set. */
  keys: object[];
  /** How often each method was called. */
  readonly calls: { resolve: number; keys: number };
  /** What auth's clock shows, in milliseconds since the epoch. */
  authTime: () => number;
  /** Awaited before catalog replies. */
  beforeReply: () => Promise<void>;
};

export type Signer = { readonly kid: string; readonly jwk: object; readonly key: CryptoKey };

export function newFakeState(): FakeState {
  return {
    videos: new Map(),
    keys: [],
    calls: { resolve: 0, keys: 0 },
    authTime: () => Date.now(),
    beforeReply: async () => {},
  };
}

/** Serves both on one port. */
export function servePeers(state: FakeState, port = 0) {
  const ofAuth = only<Methods<AuthServiceHandlers>>(auth.AuthService.service, {
    GetJwks: async () => {
      state.calls.keys += 1;
      return { json: JSON.stringify({ keys: state.keys }), maxAgeSeconds: 300, nowMs: state.authTime() };
    },
  });
  const ofCatalog = only<Methods<CatalogServiceHandlers>>(catalog.CatalogService.service, {
    ResolvePlayback: async ({ playbackId }) => {
      state.calls.resolve += 1;
      const video = state.videos.get(playbackId);
      await state.beforeReply();
      if (!video) throw new AppError('NOT_FOUND', 'unknown playback id');
      const { closesAt, ...reply } = video;
      const closing = closesAt !== undefined && { gateClosesInMs: Math.round(closesAt - performance.now()) };
      return { ...reply, ...closing };
    },
  });
  return serveRpc({
    port,
    services: [
      service<AuthServiceHandlers>(auth.AuthService.service, ofAuth.allowed, ofAuth.methods),
      service<CatalogServiceHandlers>(catalog.CatalogService.service, ofCatalog.allowed, ofCatalog.methods),
    ],
    log: createLogger('peers', 'error', { write: () => {} }),
    metrics: createMetrics('peers'),
    config: { rpcCallers: callers, ...noTls },
  });
}

function only<M>(definition: object, given: Partial<M>): { allowed: never; methods: M } {
  const names = Object.keys(definition);
  const missing = async (): Promise<never> => {
    throw new Error('playback does not call this');
  };
  return {
    allowed: Object.fromEntries(names.map((name) => [name, ['playback']])) as never,
    methods: { ...Object.fromEntries(names.map((name) => [name, missing])), ...given } as M,
  };
}

/** A signing key of auth. */
export async function newSigner(kid: string): Promise<Signer> {
  const pair = await generateKeyPair('ES256', { extractable: true });
  return { kid, key: pair.privateKey, jwk: { ...(await exportJWK(pair.publicKey)), kid, alg: 'ES256', use: 'sig' } };
}

/** A token as auth signs it. */
export function sign(signer: Signer, playbackId: string, claims: Record<string, unknown> = {}): Promise<string> {
  return new SignJWT({
    iss: 'vds-auth',
    aud: 'vds-playback',
    sub: playbackId,
    iat: nowSeconds(),
    exp: nowSeconds() + 3_600,
    jti: randomUUID(),
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: signer.kid })
    .sign(signer.key);
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
