/**
 * The decrypted signing keys of this replica. The list is refreshed periodically; while the database is down, the last
 * list keeps signing tokens and serving the key set.
 */
import { singleFlight } from '@vds/chassis/async';
import type { Logger } from '@vds/chassis/telemetry/log';
import { importPKCS8, SignJWT } from 'jose';
import type { TokenClaims } from '../domain/playback-token.ts';
import { publishedKeys, signerAt } from '../domain/signing-schedule.ts';
import { unseal } from './sealed.ts';
import { listSigningKeys, type SigningKeyStore, type StoredSigningKey } from './signing-keys.ts';

type OpenKey = StoredSigningKey & { readonly privateKey: CryptoKey };
export type KeyRing = Awaited<ReturnType<typeof openKeyRing>>;

export type Deps = {
  readonly store: SigningKeyStore;
  /** How long a key stays in the set after its successor starts to sign, in milliseconds. */
  readonly retireAfterMs: number;
  readonly log: Logger;
};

/**
 * Reads and decrypts the keys.
 * @throws AppError INTERNAL when no secret opens one of them
 */
export async function openKeyRing({ store, retireAfterMs, log }: Deps) {
  let keys: readonly OpenKey[] = [];
  let readAt = 0;

  const open = async (key: StoredSigningKey): Promise<OpenKey> =>
    keys.find(({ kid }) => kid === key.kid) ?? {
      ...key,
      privateKey: await importPKCS8(unseal(store.secrets, key.kid, key.sealedPrivateKey), 'ES256'),
    };
  const read = async (): Promise<void> => {
    keys = await Promise.all((await listSigningKeys(store.pool)).map(open));
    readAt = Date.now();
  };
  const refresh = singleFlight(read);
  const current = async (): Promise<readonly OpenKey[]> => {
    // A quarter of the age: together with a verifier's cache this stays below the two ages that a new key waits.
    if (Date.now() - readAt >= store.jwksMaxAgeMs / 4) {
      await refresh().catch((error: unknown) => log.warn({ err: error }, 'signing keys could not be refreshed'));
    }
    return keys;
  };

  await read();
  return {
    /** Signs claims with the current signing key. @throws AppError UNAVAILABLE when there is none */
    sign: async (claims: TokenClaims): Promise<string> => {
      const { kid, privateKey } = signerAt(await current(), Date.now());
      return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid }).sign(privateKey);
    },
    /** The JWK Set (RFC 7517 §5) as JSON. */
    jwks: async (): Promise<string> => {
      const published = publishedKeys(await current(), Date.now(), retireAfterMs);
      return JSON.stringify({ keys: published.map(({ publicJwk }) => publicJwk) });
    },
    /** When the current signing key started to sign, in milliseconds since the epoch. */
    signsSince: async (): Promise<number> => signerAt(await current(), Date.now()).signsFrom,
    /** Makes the next call refresh the list. */
    invalidate: (): void => void (readAt = 0),
  };
}
