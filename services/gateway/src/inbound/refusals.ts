/**
 * Keeps the promise that invalid keys cannot crowd auth: each client address has a bucket of refusals, refilled over a
 * minute; while it is empty, auth is asked only about keys that it has accepted recently. They keep working for partners
 * behind the same address as an attacker.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

type Bucket = { readonly left: number; readonly at: number };
export type Refusals = ReturnType<typeof countRefusals>;

/** About 200 bytes each; least recently used addresses are forgotten. */
const MAX_ADDRESSES = 20_000;
const MAX_ACCEPTED = 20_000;
const ACCEPTED_MS = 600_000;

/**
 * @param perMinute refusals per client address and minute, all of which may come at once
 * @param now milliseconds of a monotonic clock
 */
export function countRefusals(perMinute: number, now: () => number = () => performance.now()) {
  const buckets = new LRUCache<string, Bucket>({ max: MAX_ADDRESSES });
  const accepted = new LRUCache<string, true>({ max: MAX_ACCEPTED, ttl: ACCEPTED_MS, perf: { now } });
  const leftOf = (client: string): number => {
    const bucket = buckets.get(client);
    return bucket ? Math.min(perMinute, bucket.left + ((now() - bucket.at) * perMinute) / 60_000) : perMinute;
  };
  return {
    perMinute,
    /** Seconds after which this client may try the key; 0: now. */
    waitSeconds: (client: string, key: string): number => {
      const missing = 1 - leftOf(bucketOf(client));
      return missing <= 0 || accepted.has(digest(key)) ? 0 : Math.ceil((missing * 60) / perMinute);
    },
    accepted: (key: string): void => void accepted.set(digest(key), true),
    refused: (client: string, key: string): void => {
      accepted.delete(digest(key));
      const name = bucketOf(client);
      buckets.set(name, { left: Math.max(0, leftOf(name) - 1), at: now() });
    },
  };
}

/** A network of IPv6 that one client usually has: /64. */
function bucketOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const behind = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - behind.length);
  return [...groups, ...Array<string>(zeros).fill('0'), ...behind].slice(0, 4).join(':');
}

/** No key stays in memory. */
function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
