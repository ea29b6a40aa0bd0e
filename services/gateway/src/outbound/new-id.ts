/** New ids of videos and requests, from the clock and random bytes. */
import { randomFillSync } from 'node:crypto';
import { base32, uuidV7 } from '../domain/video-id.ts';

/** Random bytes of many ids at once: each call of the generator costs more than its bytes. */
const pool = Buffer.alloc(4_000);
const BYTES = 10;
let used = pool.length;

export function newVideoId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += BYTES;
  return base32(uuidV7(Date.now(), pool.subarray(used - BYTES, used)));
}

export function newRequestId(): string {
  return `req_${newVideoId()}`;
}
