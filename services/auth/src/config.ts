/** The configuration of auth. */
import { duration, secret, text, withDefault, type ConfigSpec, type Reader } from '@vds/chassis/config/config';
import { databaseConfig } from '@vds/chassis/database/database';
import { retentionConfig } from '@vds/chassis/database/retention';
import { adminRpcConfig, rpcServerConfig } from '@vds/chassis/rpc/rpc';
import { MAX_TOKEN_S } from './domain/playback-token.ts';
import type { Pepper, Peppers } from './outbound/key-hash.ts';

/** `id:base64` or `id:base64,id2:base64`: the first hashes new keys, the second still verifies its own hashes. */
export const peppers: Reader<Peppers> = (value, name) => {
  const [first = '', second, ...more] = secret(value, name).split(',');
  if (more.length > 0) throw new Error(`${name} must have one or two entries`);
  const current = pepper(first, name);
  if (second === undefined) return [current];
  const previous = pepper(second, name);
  if (previous.id === current.id) throw new Error(`${name} has two entries with the id '${current.id}'`);
  return [current, previous];
};

/** The base64 of exactly 32 bytes: an AES-256 key. */
export const aesKey: Reader<Buffer> = (value, name) => {
  const bytes = secretBytes(secret(value, name), name);
  if (bytes.length !== 32) throw new Error(`${name} must be the base64 of exactly 32 bytes`);
  return bytes;
};

const DAY_MS = 86_400_000;

// Maximum lifetime of a token, plus five minutes for clock skew and caches of verifiers.
const RETIRE_AFTER_MS = MAX_TOKEN_S * 1_000 + 300_000;

export const authConfig = {
  ...databaseConfig,
  ...retentionConfig,
  ...rpcServerConfig,
  ...adminRpcConfig,
  /** Secret of the hashes of API keys, `<id>:<base64>`: one, or the new and the previous one between commas. */
  peppers: ['KEY_PEPPERS', peppers],
  /** Base64 of 32 bytes, which private signing keys are encrypted with. */
  signingKeySecret: ['SIGNING_KEY_SECRET', aesKey],
  /** The sliding window of a key's minute limit. */
  windowMs: ['MINUTE_WINDOW', withDefault(duration, 60_000)],
  /** `iss` of a playback token. */
  issuer: ['TOKEN_ISSUER', withDefault(text, 'vds-auth')],
  /** `aud` of a playback token. */
  audience: ['TOKEN_AUDIENCE', withDefault(text, 'vds-playback')],
  /** How long verifiers may cache the key set; a new signing key waits twice as long before it signs. */
  jwksMaxAgeMs: ['JWKS_MAX_AGE', withDefault(duration, 300_000)],
  /** How long a signing key stays in the key set once its successor signs. */
  retireAfterMs: ['SIGNING_KEY_RETIRE_AFTER', withDefault(duration, RETIRE_AFTER_MS)],
  /** How long a revoked key is kept; afterwards it is unknown, which has the same response. */
  revokedKeysKeepMs: ['REVOKED_KEYS_KEEP', withDefault(duration, 400 * DAY_MS)],
  /** How long the audit is kept. Never less than 30 days, whatever the setting: the database ensures it. */
  auditKeepMs: ['AUDIT_KEEP', withDefault(duration, 400 * DAY_MS)],
  /** How often expired rows are deleted and gauges refreshed. */
  cleanupEveryMs: ['CLEANUP_EVERY', withDefault(duration, 60_000)],
} as const satisfies ConfigSpec;

function pepper(entry: string, name: string): Pepper {
  const [, id, key] = /^([0-9A-Za-z_-]{1,32}):(.+)$/.exec(entry.trim()) ?? [];
  if (id === undefined || key === undefined)
    throw new Error(`${name} must be one or two entries '<id>:<base64>' between commas`);
  return { id, key: secretBytes(key, name) };
}

/** Standard base64 of at least 32 bytes, never printed. */
function secretBytes(base64: string, name: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== base64.replace(/=+$/, '') || bytes.length < 32)
    throw new Error(`${name} must be the base64 of at least 32 random bytes`);
  return bytes;
}
