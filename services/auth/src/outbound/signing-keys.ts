/** Signing keys in the database: ES256 key pairs (RFC 7518 §3.4), the private half encrypted at rest. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AppError } from '@vds/chassis/errors';
import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair, type JWK } from 'jose';
import { publishedKeys, scheduleNext, type ScheduledKey } from '../domain/signing-schedule.ts';
import type { Change } from './audit.ts';
import type { PrismaClient, Transaction } from './prisma.ts';

export type StoredSigningKey = ScheduledKey & {
  /** As published in the key set, with kid, alg and use. */
  readonly publicJwk: JWK;
  readonly sealedPrivateKey: Uint8Array;
};
export type SigningKeyStore = {
  readonly prisma: PrismaClient;
  /** 32 bytes. */
  readonly secret: Buffer;
  /** How long verifiers may cache a key set, in milliseconds. */
  readonly jwksMaxAgeMs: number;
};

// Advisory lock of this database that serialises changes of the key list.
const LOCK = 7_314_001;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Creates the first key where there is none; of several replicas that boot at once only one does. */
export async function ensureSigningKey(store: SigningKeyStore): Promise<void> {
  await store.prisma.$transaction(async (tx) => {
    const { keys, now } = await lockKeys(tx);
    if (keys.length === 0) await addKey(store, tx, keys, now);
  });
}

/** Excludes every other replica until the transaction ends. Returns the keys and the database's time in milliseconds. */
async function lockKeys(tx: Transaction): Promise<{ readonly keys: StoredSigningKey[]; readonly now: number }> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK})`;
  const [clock] = await tx.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp()::timestamptz(3) AS now`;
  return { keys: await listSigningKeys(tx), now: clock?.now.getTime() ?? Date.now() };
}

/** Every stored key, in the order in which they sign. */
export async function listSigningKeys(prisma: Pick<PrismaClient, 'signingKey'>): Promise<StoredSigningKey[]> {
  const rows = await prisma.signingKey.findMany({ orderBy: { signsFrom: 'asc' } });
  return rows.map(({ publicJwk, publishedAt, signsFrom, ...row }) => ({
    ...row,
    publicJwk: publicJwk as JWK,
    publishedAt: publishedAt.getTime(),
    signsFrom: signsFrom.getTime(),
  }));
}

async function addKey(
  { secret, jwksMaxAgeMs }: SigningKeyStore,
  tx: Transaction,
  keys: StoredSigningKey[],
  now: number,
): Promise<ScheduledKey> {
  const times = scheduleNext(keys, now, jwksMaxAgeMs);
  const pair = await generateSealedPair(secret);
  await tx.signingKey.create({
    data: { ...pair, publishedAt: new Date(times.publishedAt), signsFrom: new Date(times.signsFrom) },
  });
  return { kid: pair.kid, ...times };
}

/** A new pair; its kid is the thumbprint of its public half (RFC 7638). */
async function generateSealedPair(secret: Buffer) {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  return {
    kid,
    publicJwk: { kty: 'EC', crv: 'P-256', x: jwk.x ?? '', y: jwk.y ?? '', kid, alg: 'ES256', use: 'sig' },
    sealedPrivateKey: new Uint8Array(seal(secret, kid, await exportPKCS8(privateKey))),
  };
}

/** Publishes the next key. FAILED_PRECONDITION while an earlier one is pending. */
export function rotateSigningKey(store: SigningKeyStore): Change<ScheduledKey> {
  return async (tx) => {
    const { keys, now } = await lockKeys(tx);
    const value = await addKey(store, tx, keys, now);
    const became = `signs from ${new Date(value.signsFrom).toISOString()}`;
    const was = `signed with ${keys.at(-1)?.kid ?? 'no key'}`;
    return { value, entry: { action: 'signing-key rotate', keyId: value.kid, was, became } };
  };
}

/**
 * Deletes retired keys, private halves included.
 * @returns how many
 */
export async function pruneSigningKeys({ prisma }: SigningKeyStore, retireAfterMs: number): Promise<number> {
  return prisma.$transaction(async (tx) => {
    const { keys, now } = await lockKeys(tx);
    const published = publishedKeys(keys, now, retireAfterMs).map(({ kid }) => kid);
    const { count } = await tx.signingKey.deleteMany({ where: { kid: { notIn: published } } });
    return count;
  });
}

/**
 * Encrypts a private key with AES-256-GCM (NIST SP 800-38D): 12 bytes nonce ‖ 16 bytes tag ‖ ciphertext.
 * @param secret 32 bytes
 * @param kid authenticated with the text: it opens under this kid only
 */
export function seal(secret: Buffer, kid: string, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(kid));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/**
 * Decrypts what `seal` returned.
 * @throws AppError INTERNAL for another secret or kid, or when a bit was changed
 */
export function unseal(secret: Buffer, kid: string, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed);
  const tagEnd = NONCE_BYTES + TAG_BYTES;
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', secret, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(kid));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, tagEnd));
    return decipher.update(bytes.subarray(tagEnd), undefined, 'utf8') + decipher.final('utf8');
  } catch (cause) {
    throw new AppError('INTERNAL', `SIGNING_KEY_SECRET does not open signing key ${kid}`, { cause });
  }
}
