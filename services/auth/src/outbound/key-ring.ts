/**
 * The signing keys of this replica, opened and ready. The list is read again when it has grown old; while the database
 * does not answer, the last list goes on serving viewers.
 */
import { importPKCS8, SignJWT } from 'jose';
import type { PlaybackClaims } from '../domain/playback-token.ts';
import { shownAt, signerAt } from '../domain/signing-schedule.ts';
import { listSigningKeys, type SigningKeyStore, type StoredSigningKey } from './signing-keys.ts';
import { unseal } from './seal.ts';

type OpenKey = StoredSigningKey & { readonly privateKey: CryptoKey };

export type KeyRingOptions = {
  readonly store: SigningKeyStore;
  /** How long a key stays in the set after its successor began to sign, in milliseconds. */
  readonly retireAfterMs: number;
  /** Told why a list could not be read again. */
  readonly onStale: (error: unknown) => void;
};

/**
 * Reads and opens the keys.
 * @throws AppError INTERNAL when the secret does not open one of them
 */
export async function openKeyRing({ store, retireAfterMs, onStale }: KeyRingOptions) {
  let keys: readonly OpenKey[] = [];
  let readAt = 0;
  let reading: Promise<void> | undefined;

  const open = async (key: StoredSigningKey): Promise<OpenKey> =>
    keys.find(({ kid }) => kid === key.kid) ?? {
      ...key,
      privateKey: await importPKCS8(unseal(store.secret, key.kid, key.sealedPrivateKey), 'ES256'),
    };
  const read = async (): Promise<void> => {
    keys = await Promise.all((await listSigningKeys(store.prisma)).map(open));
    readAt = Date.now();
  };
  const current = async (): Promise<readonly OpenKey[]> => {
    // A quarter: with the verifiers' own age still well within the two ages that a new key waits.
    if (Date.now() - readAt >= store.jwksMaxAgeMs / 4) {
      reading ??= read().finally(() => (reading = undefined));
      await reading.catch(onStale);
    }
    return keys;
  };

  await read();
  return {
    /** Signs claims with the key that is in force. @throws AppError UNAVAILABLE when there is none */
    sign: async (claims: PlaybackClaims): Promise<string> => {
      const { kid, privateKey } = signerAt(await current(), Date.now());
      return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid }).sign(privateKey);
    },
    /** The JWK Set (RFC 7517 §5) as JSON. */
    jwks: async (): Promise<string> => {
      const shown = shownAt(await current(), Date.now(), retireAfterMs);
      return JSON.stringify({ keys: shown.map(({ publicJwk }) => publicJwk) });
    },
    /** When the signing key was put into force, in milliseconds since the epoch. */
    signsSince: async (): Promise<number> => signerAt(await current(), Date.now()).signsFrom,
    /** Makes the next call read the list again. */
    forget: (): void => void (readAt = 0),
  };
}
