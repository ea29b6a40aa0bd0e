/** The work of Authorize in this process: the same parser, hashes and statement. */
import type pg from 'pg';
import { parseApiKey } from '@vds/auth/domain/api-key';
import { candidateHashes, type Peppers } from '@vds/auth/outbound/key-hash';
import { decide } from '@vds/auth/outbound/minute-window';

const WINDOW_MS = 60_000;

/** The decision for an `Authorization` header; null if the key is malformed or unknown. */
export async function bareAuthorize(pool: pg.Pool, peppers: Peppers, header: string | undefined) {
  const key = parseApiKey((header ?? '').replace(/^Bearer /, ''));
  return key && decide(pool, key.id, candidateHashes(peppers, key), WINDOW_MS);
}
