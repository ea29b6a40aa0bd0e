/** The public keys of auth's tokens (RFC 7517), fetched when they expire or a key is missing. */
import type { JwksOut } from '@vds/proto/generated/vds/auth/v1/Jwks.ts';
import { AppError, messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import { importJWK, type CryptoKey, type JWK } from 'jose';

type Options = {
  readonly load: () => Promise<JwksOut>;
  readonly log: Logger;
  /** Minimum time between two fetches, whichever key ids callers send. */
  readonly everyMs?: number;
};
export type KeySet = ReturnType<typeof openKeySet>;

export function openKeySet({ load, log, everyMs = 5_000 }: Options) {
  let keys: ReadonlyMap<string, CryptoKey> | undefined;
  let freshUntil = 0;
  let fetchedAt = -Infinity;
  let fetching: Promise<void> | undefined;
  let issuerTime = { nowMs: Date.now(), at: performance.now() };

  const fetchKeys = async (): Promise<void> => {
    const startedAt = performance.now();
    fetchedAt = startedAt;
    try {
      const reply = await load();
      keys = await importKeys(reply);
      issuerTime = { nowMs: reply.nowMs, at: startedAt };
      freshUntil = performance.now() + reply.maxAgeSeconds * 1_000;
    } catch (error) {
      log.warn({ reason: messageOf(error) }, 'key set not fetched');
    }
  };
  const refresh = async (): Promise<void> => {
    if (fetching === undefined && performance.now() - fetchedAt < everyMs) return;
    fetching ??= fetchKeys().finally(() => (fetching = undefined));
    await fetching;
  };

  return {
    /**
     * The key of an id; undefined when auth has none. While auth is down the last set stays in use.
     * @throws UNAVAILABLE before the first set
     */
    find: async (kid: string): Promise<CryptoKey | undefined> => {
      if (keys === undefined || !keys.has(kid) || performance.now() > freshUntil) await refresh();
      if (keys === undefined) throw new AppError('UNAVAILABLE', 'tokens cannot be checked now');
      return keys.get(kid);
    },
    /**
     * The issuer's time in milliseconds since the epoch, as of the last fetch and continued by the monotonic clock:
     * this host's own clock may be wrong, or jump.
     */
    now: (): number => issuerTime.nowMs + performance.now() - issuerTime.at,
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
