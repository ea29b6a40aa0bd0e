/** Ids as partners see them: TypeIDs (https://github.com/jetify-com/typeid), a UUIDv7 in Crockford's base 32. */
import { isVideoId } from '@vds/proto/ids';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A UUID of version 7 (RFC 9562 §5.7): later ids sort after earlier ones.
 * @param nowMs milliseconds since the epoch
 * @param random 10 random bytes; version and variant replace six of their bits
 */
export function uuidV7(nowMs: number, random: Uint8Array): Uint8Array {
  const uuid = new Uint8Array(16);
  new DataView(uuid.buffer).setBigUint64(0, BigInt(nowMs) << 16n);
  uuid.set(random.subarray(0, 10), 6);
  uuid[6] = 0x70 | ((uuid[6] ?? 0) & 0x0f);
  uuid[8] = 0x80 | ((uuid[8] ?? 0) & 0x3f);
  return uuid;
}

/** 16 bytes as 26 characters of lower-case base 32. */
export function base32(uuid: Uint8Array): string {
  let text = '';
  // 130 bits: the first two are zero.
  let [waiting, bits] = [0, 2];
  for (const byte of uuid) {
    waiting = (waiting << 8) | byte;
    for (bits += 8; bits >= 5;) {
      bits -= 5;
      text += alphabet.charAt((waiting >> bits) & 31);
    }
    waiting &= (1 << bits) - 1;
  }
  return text;
}

/** The bare id in a path, with or without its prefix (spec §2.2, §4); undefined for anything that is not an id. */
export function readVideoId(text: string): string | undefined {
  const id = text.startsWith('vid_') ? text.slice('vid_'.length) : text;
  return isVideoId(id) ? id : undefined;
}

/** The id as partners see it. */
export function writeVideoId(id: string): string {
  return `vid_${id}`;
}
