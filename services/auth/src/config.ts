/** The configuration of auth. */
import { createSecretKey } from 'node:crypto';
import { flag, secret, withDefault, type ConfigSpec, type Reader } from '@vds/chassis/config/config';
import { scaled } from '@vds/chassis/config/times';
import { databaseConfig } from '@vds/chassis/database/database';
import { auditConfig, retentionConfig } from '@vds/chassis/database/retention';
import { adminRpcConfig, rpcServerConfig } from '@vds/chassis/rpc/rpc';
import { MAX_TOKEN_S } from './domain/playback-token.ts';
import type { Pepper, Peppers } from './outbound/key-hash.ts';
import type { SealingSecrets } from './outbound/sealed.ts';

/** `id:base64` or `id:base64,id2:base64`: the first hashes new keys, the second still verifies its own hashes. */
export const peppers: Reader<Peppers> = (value, name) => {
  const [current, previous] = oneOrTwo(value, name, pepper);
  if (previous === undefined) return [current];
  if (previous.id === current.id) throw new Error(`${name} has two entries with the id '${current.id}'`);
  return [current, previous];
};

/** `base64` or `base64,base64`, each of exactly 32 bytes: the first seals, the second still opens what it sealed. */
export const sealingSecrets: Reader<SealingSecrets> = (value, name) => oneOrTwo(value, name, aesKey);

const MINUTE = 60_000;

// Maximum lifetime of a token, plus five minutes for clock skew and caches of verifiers.
const RETIRE_AFTER_MS = MAX_TOKEN_S * 1_000 + 5 * MINUTE;

export const authConfig = {
  ...databaseConfig,
  ...retentionConfig,
  ...auditConfig,
  ...rpcServerConfig,
  ...adminRpcConfig,
  /** Secret of the hashes of API keys, `<id>:<base64>`: one, or the new and the previous one between commas. */
  peppers: ['KEY_PEPPERS', peppers],
  /** What private signing keys and viewer keys are sealed with, base64 of 32 bytes: one, or the new and the previous one between commas. */
  sealingSecrets: ['SIGNING_KEY_SECRET', sealingSecrets],
  /** Whether apps may get tokens for videos that are still being processed. */
  appsPreview: ['APPS_PREVIEW', withDefault(flag, false)],
  ...scaled({
    /** The sliding window of a key's minute limit. */
    windowMs: MINUTE,
    /** How long verifiers may cache the key set; a new signing key waits twice as long before it signs. */
    jwksMaxAgeMs: 5 * MINUTE,
    /** How long a signing key stays in the key set once its successor signs. */
    retireAfterMs: RETIRE_AFTER_MS,
    /** How often expired rows are deleted and gauges refreshed. */
    cleanupEveryMs: MINUTE,
  }),
} as const satisfies ConfigSpec;

/** The entries between commas: the current secret and, while it is being phased out, the previous one. */
function oneOrTwo<T>(
  value: string | undefined,
  name: string,
  read: (entry: string, name: string) => T,
): readonly [current: T, previous?: T] {
  const [first = '', second, ...more] = secret(value, name).split(',');
  if (more.length > 0) throw new Error(`${name} must have one or two entries`);
  return second === undefined ? [read(first, name)] : [read(first, name), read(second, name)];
}

/** The base64 of exactly 32 bytes: an AES-256 key. */
function aesKey(entry: string, name: string): Buffer {
  const bytes = secretBytes(entry.trim(), name);
  if (bytes.length !== 32) throw new Error(`${name} must be the base64 of exactly 32 bytes`);
  return bytes;
}

function pepper(entry: string, name: string): Pepper {
  const [, id, key] = /^([0-9A-Za-z_-]{1,32}):(.+)$/.exec(entry.trim()) ?? [];
  if (id === undefined || key === undefined)
    throw new Error(`${name} must be one or two entries '<id>:<base64>' between commas`);
  return { id, key: createSecretKey(secretBytes(key, name)) };
}

/** Standard base64 of at least 32 bytes, never printed. */
function secretBytes(base64: string, name: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== base64.replace(/=+$/, '') || bytes.length < 32)
    throw new Error(`${name} must be the base64 of at least 32 random bytes`);
  return bytes;
}
