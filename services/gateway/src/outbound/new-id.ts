/** New ids of videos and requests, from the clock and random bytes. */
import { randomBytes } from 'node:crypto';
import { base32, uuidV7 } from '../domain/video-id.ts';

export function newVideoId(): string {
  return base32(uuidV7(Date.now(), randomBytes(10)));
}

export function newRequestId(): string {
  return `req_${newVideoId()}`;
}
