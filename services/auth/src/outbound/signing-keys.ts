/** Signing keys in the database: ES256 key pairs (RFC 7518 §3.4), the private half sealed. */
import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair, type JWK } from 'jose';
import { scheduleNext, shownAt, type ScheduledKey } from '../domain/signing-schedule.ts';
import type { Change } from './audit.ts';
import type { PrismaClient, Writer } from './prisma.ts';
import { seal } from './seal.ts';

export type StoredSigningKey = ScheduledKey & {
  /** As it is shown in the key set, with kid, alg and use. */
  readonly publicJwk: JWK;
  readonly sealedPrivateKey: Uint8Array;
};
export type SigningKeyStore = {
  readonly prisma: PrismaClient;
  /** 32 bytes. */
  readonly secret: Buffer;
  /** How long verifiers may keep a key set, in milliseconds. */
  readonly jwksMaxAgeMs: number;
};
type Reader = Pick<PrismaClient, 'signingKey'>;

// Any number that nobody else in this database locks.
const LOCK = 7_314_001;

/** Makes the first key where there is none; of several replicas that boot at once only one does. */
export async function ensureSigningKey(store: SigningKeyStore): Promise<void> {
  await store.prisma.$transaction(async (tx) => {
    const { keys, now } = await lock(tx);
    if (keys.length === 0) await add(store, tx, keys, now);
  });
}

/** Alone among all replicas until the transaction ends: the keys there are, and the database's time in milliseconds. */
async function lock(tx: Writer): Promise<{ readonly keys: StoredSigningKey[]; readonly now: number }> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK})`;
  const [clock] = await tx.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp()::timestamptz(3) AS now`;
  return { keys: await listSigningKeys(tx), now: clock?.now.getTime() ?? Date.now() };
}

/** Every stored key, in the order in which they sign. */
export async function listSigningKeys(prisma: Reader): Promise<StoredSigningKey[]> {
  const rows = await prisma.signingKey.findMany({ orderBy: { signsFrom: 'asc' } });
  return rows.map(({ kid, publicJwk, sealedPrivateKey, publishedAt, signsFrom }) => ({
    kid,
    publicJwk: publicJwk as JWK,
    sealedPrivateKey,
    publishedAt: publishedAt.getTime(),
    signsFrom: signsFrom.getTime(),
  }));
}

async function add(
  { secret, jwksMaxAgeMs }: SigningKeyStore,
  tx: Writer,
  keys: StoredSigningKey[],
  now: number,
): Promise<ScheduledKey> {
  const times = scheduleNext(keys, now, jwksMaxAgeMs);
  const pair = await newPair(secret);
  await tx.signingKey.create({
    data: { ...pair, publishedAt: new Date(times.publishedAt), signsFrom: new Date(times.signsFrom) },
  });
  return { kid: pair.kid, ...times };
}

/** A new pair; its kid is the thumbprint of its public half (RFC 7638). */
async function newPair(secret: Buffer) {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  return {
    kid,
    publicJwk: { kty: 'EC', crv: 'P-256', x: jwk.x ?? '', y: jwk.y ?? '', kid, alg: 'ES256', use: 'sig' },
    sealedPrivateKey: new Uint8Array(seal(secret, kid, await exportPKCS8(privateKey))),
  };
}

/** Publishes the next key. FAILED_PRECONDITION while an earlier one waits. */
export function rotateSigningKey(store: SigningKeyStore): Change<ScheduledKey> {
  return async (tx) => {
    const { keys, now } = await lock(tx);
    const value = await add(store, tx, keys, now);
    const became = `signs from ${new Date(value.signsFrom).toISOString()}`;
    const was = `signed with ${keys.at(-1)?.kid ?? 'no key'}`;
    return { value, entry: { action: 'signing-key rotate', keyId: value.kid, was, became } };
  };
}

/**
 * Removes retired keys, private halves included.
 * @returns how many
 */
export async function pruneSigningKeys({ prisma }: SigningKeyStore, retireAfterMs: number): Promise<number> {
  return prisma.$transaction(async (tx) => {
    const { keys, now } = await lock(tx);
    const shown = shownAt(keys, now, retireAfterMs).map(({ kid }) => kid);
    const { count } = await tx.signingKey.deleteMany({ where: { kid: { notIn: shown } } });
    return count;
  });
}
