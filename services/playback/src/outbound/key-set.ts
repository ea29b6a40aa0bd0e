/** The public keys of playback tokens (RFC 7517), fetched from auth when they have grown old or one is not known. */
import type { JwksOut } from '@vds/proto/generated/vds/auth/v1/Jwks.ts';
import { AppError, messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import { importJWK, type CryptoKey, type JWK } from 'jose';

export type KeySetOptions = {
  readonly fetch: () => Promise<JwksOut>;
  readonly log: Logger;
  /** Shortest time between two questions, whatever key ids strangers invent. */
  readonly everyMs?: number;
};
export type KeySet = ReturnType<typeof openKeySet>;

export function openKeySet({ fetch, log, everyMs = 5_000 }: KeySetOptions) {
  let keys: ReadonlyMap<string, CryptoKey> | undefined;
  let freshUntil = 0;
  let askedAt = -Infinity;
  let asking: Promise<void> | undefined;

  const ask = async (): Promise<void> => {
    askedAt = performance.now();
    try {
      const reply = await fetch();
      keys = await importKeys(reply);
      freshUntil = performance.now() + reply.maxAgeSeconds * 1_000;
    } catch (error) {
      log.warn({ reason: messageOf(error) }, 'the key set could not be fetched');
    }
  };
  const refresh = async (): Promise<void> => {
    if (asking === undefined && performance.now() - askedAt < everyMs) return;
    asking ??= ask().finally(() => (asking = undefined));
    await asking;
  };

  return {
    /**
     * The key of an id; undefined when auth knows none. While auth is away the last set stays in use.
     * @throws UNAVAILABLE when there never was a set
     */
    find: async (kid: string): Promise<CryptoKey | undefined> => {
      if (keys === undefined || !keys.has(kid) || performance.now() > freshUntil) await refresh();
      if (keys === undefined) throw new AppError('UNAVAILABLE', 'playback tokens cannot be checked now');
      return keys.get(kid);
    },
  };
}

async function importKeys({ json }: JwksOut): Promise<ReadonlyMap<string, CryptoKey>> {
  const { keys } = JSON.parse(json) as { readonly keys: readonly JWK[] };
  const usable = keys.filter(({ kid, kty, crv }) => kid !== undefined && kty === 'EC' && crv === 'P-256');
  return new Map(
    await Promise.all(
      usable.map(async (jwk) => [jwk.kid ?? '', (await importJWK(jwk, 'ES256')) as CryptoKey] as const),
    ),
  );
}
