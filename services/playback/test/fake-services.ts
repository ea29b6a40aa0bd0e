/** Fake auth, catalog and transcode: gRPC servers on a real socket with scripted replies, and tokens as auth signs them. */
import { randomUUID } from 'node:crypto';
import type { ResolvedPlayback } from '@vds/proto/generated/vds/catalog/v1/ResolvedPlayback.ts';
import type { Preview } from '@vds/proto/generated/vds/transcode/v1/Preview.ts';
import { AppError } from '@vds/chassis/errors';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { serveFakePeers } from '@vds/testkit/harness/fake-peers';
import { tokenOf } from '@vds/testkit/harness/rpc-callers';

export const RPC_TOKEN = tokenOf('playback');

/** The state of both services; tests change it while they run. */
export type FakeState = {
  /** `closesAt`: when catalog closes the gate, on the monotonic clock of this process. */
  readonly videos: Map<string, ResolvedPlayback & { readonly closesAt?: number }>;
  /** What transcode has finished of videos that are still being encoded. */
  readonly previews: Map<string, Preview>;
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
    previews: new Map(),
    keys: [],
    calls: { resolve: 0, keys: 0 },
    authTime: () => Date.now(),
    beforeReply: async () => {},
  };
}

/** Serves both on one port. */
export function servePeers(state: FakeState, port = 0) {
  const auth = {
    GetJwks: async () => {
      state.calls.keys += 1;
      return { json: JSON.stringify({ keys: state.keys }), maxAgeSeconds: 300, nowMs: state.authTime() };
    },
  };
  const catalog = {
    ResolvePlayback: async ({ playbackId, videoId }: { readonly playbackId: string; readonly videoId: string }) => {
      state.calls.resolve += 1;
      const video = state.videos.get(playbackId || videoId);
      await state.beforeReply();
      if (!video) throw new AppError('NOT_FOUND', 'unknown playback id');
      const { closesAt, ...reply } = video;
      const closing = closesAt !== undefined && { gateClosesInMs: Math.round(closesAt - performance.now()) };
      return { ...reply, ...closing };
    },
  };
  const transcode = {
    GetPreview: async ({ videoId }: { readonly videoId: string }) => {
      const preview = state.previews.get(videoId);
      if (!preview) throw new AppError('NOT_FOUND', 'nothing to play yet');
      return preview;
    },
  };
  return serveFakePeers('playback', { auth, catalog, transcode }, port);
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
