/** Signing keys in the database: ES256 key pairs (RFC 7518 §3.4), the private half encrypted at rest. */
import { withTransaction, type Executor, type Pool } from '@vds/chassis/database/database';
import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair, type JWK } from 'jose';
import { publishedKeys, scheduleNext, type ScheduledKey } from '../domain/signing-schedule.ts';
import type { Change } from './audit.ts';
import { seal, type SealingSecrets } from './sealed.ts';

export type StoredSigningKey = ScheduledKey & {
  /** As published in the key set, with kid, alg and use. */
  readonly publicJwk: JWK;
  readonly sealedPrivateKey: Uint8Array;
};
export type SigningKeyStore = {
  readonly pool: Pool;
  readonly secrets: SealingSecrets;
  /** How long verifiers may cache a key set, in milliseconds. */
  readonly jwksMaxAgeMs: number;
};

// Advisory lock of this database that serialises changes of the key list.
const LOCK = 7_314_001;

/** Creates the first key if there is none; of several replicas that boot at once only one does. */
export async function ensureSigningKey(store: SigningKeyStore): Promise<void> {
  await withTransaction(store.pool, async (client) => {
    const { keys, now } = await lockKeys(client);
    if (keys.length === 0) await addKey(store, client, keys, now);
  });
}

/** Excludes every other replica until the transaction ends. Returns the keys and the database's time in milliseconds. */
async function lockKeys(client: Executor): Promise<{ readonly keys: StoredSigningKey[]; readonly now: number }> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp()::timestamptz(3) AS now');
  return { keys: await listSigningKeys(client), now: (rows as [{ now: Date }])[0].now.getTime() };
}

type Row = { kid: string; publicJwk: JWK; sealedPrivateKey: Buffer; publishedAt: Date; signsFrom: Date };

/** Every stored key, in the order in which they sign. */
export async function listSigningKeys(db: Executor): Promise<StoredSigningKey[]> {
  const { rows } = await db.query<Row>(
    `SELECT kid, public_jwk AS "publicJwk", sealed_private_key AS "sealedPrivateKey", published_at AS "publishedAt",
      signs_from AS "signsFrom" FROM signing_keys ORDER BY signs_from`,
  );
  return rows.map(({ publishedAt, signsFrom, ...row }) => ({
    ...row,
    publishedAt: publishedAt.getTime(),
    signsFrom: signsFrom.getTime(),
  }));
}

async function addKey(
  { secrets, jwksMaxAgeMs }: SigningKeyStore,
  client: Executor,
  keys: StoredSigningKey[],
  now: number,
): Promise<ScheduledKey> {
  const times = scheduleNext(keys, now, jwksMaxAgeMs);
  const { kid, publicJwk, sealedPrivateKey } = await generateSealedPair(secrets);
  await client.query(
    `INSERT INTO signing_keys (kid, public_jwk, sealed_private_key, published_at, signs_from)
      VALUES ($1, $2, $3, $4, $5)`,
    [kid, JSON.stringify(publicJwk), sealedPrivateKey, new Date(times.publishedAt), new Date(times.signsFrom)],
  );
  return { kid, ...times };
}

/** A new pair; its kid is the thumbprint of its public half (RFC 7638). */
async function generateSealedPair(secrets: SealingSecrets) {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  return {
    kid,
    publicJwk: { kty: 'EC', crv: 'P-256', x: jwk.x ?? '', y: jwk.y ?? '', kid, alg: 'ES256', use: 'sig' },
    sealedPrivateKey: seal(secrets, kid, await exportPKCS8(privateKey)),
  };
}

/** Publishes the next key. FAILED_PRECONDITION while an earlier one is pending. */
export function rotateSigningKey(store: SigningKeyStore): Change<ScheduledKey> {
  return async (client) => {
    const { keys, now } = await lockKeys(client);
    const value = await addKey(store, client, keys, now);
    const became = `signs from ${new Date(value.signsFrom).toISOString()}`;
    const was = `signed with ${keys.at(-1)?.kid ?? 'no key'}`;
    return { value, entry: { action: 'signing-key rotate', keyId: value.kid, was, became } };
  };
}

/**
 * Deletes retired keys, private halves included.
 * @returns how many
 */
export async function pruneSigningKeys({ pool }: SigningKeyStore, retireAfterMs: number): Promise<number> {
  return withTransaction(pool, async (client) => {
    const { keys, now } = await lockKeys(client);
    const published = publishedKeys(keys, now, retireAfterMs).map(({ kid }) => kid);
    const { rowCount } = await client.query('DELETE FROM signing_keys WHERE kid <> ALL ($1)', [published]);
    return rowCount ?? 0;
  });
}
