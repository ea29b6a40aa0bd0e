/**
 * The form of an API key: `svc_live_<id>_<secret>` (spec §5). The id has 24 characters, the secret 32, of which the last
 * 6 are a checksum over everything before them: a mistyped or truncated key is rejected without a database. A token of
 * the operator's staff has the same form, with `staff` for `live`.
 */
import { crc32 } from 'node:zlib';
import { AppError } from '@vds/chassis/errors';

/** The alphabet of keys. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const KEY_ID_CHARACTERS = 24;
/** How many characters of the secret are random. */
export const RANDOM_SECRET_CHARACTERS = 26;

const CHECKSUM_CHARACTERS = 6;
const FORM = /^svc_(live|staff)_([0-9A-Za-z]{24})_([0-9A-Za-z]{32})$/;
const WHOLE_KEY = /svc_(live|staff)_[0-9A-Za-z]{24}_[0-9A-Za-z]{32}/;

export type ApiKey = { readonly id: string; readonly secret: string };
/** Whose it is: a partner's, or one of the staff's. */
export type KeyKind = 'live' | 'staff';

/**
 * Makes a key of its two random parts.
 * @param id 24 characters of 0-9A-Za-z
 * @param random 26 characters of 0-9A-Za-z
 */
export function makeApiKey(id: string, random: string, kind: KeyKind = 'live'): ApiKey {
  return { id, secret: random + checksum(`svc_${kind}_${id}_${random}`) };
}

function checksum(body: string): string {
  return toBase62(crc32(body), CHECKSUM_CHARACTERS);
}

/**
 * Writes an integer in base 62, most significant digit first, padded with '0'.
 * @param value a safe integer from 0 to 62 ** width - 1
 */
export function toBase62(value: number, width: number): string {
  let rest = value;
  let text = '';
  for (let digit = 0; digit < width; digit++) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** The full key as its holder sends it. */
export function formatApiKey({ id, secret }: ApiKey, kind: KeyKind = 'live'): string {
  return `svc_${kind}_${id}_${secret}`;
}

/** The parts of a well-formed key, or null where kind, form or checksum is wrong. */
export function parseApiKey(text: string, kind: KeyKind = 'live'): ApiKey | null {
  const [, found, id, secret] = FORM.exec(text) ?? [];
  if (found !== kind || id === undefined || secret === undefined) return null;
  const body = text.slice(0, -CHECKSUM_CHARACTERS);
  return checksum(body) === text.slice(-CHECKSUM_CHARACTERS) ? { id, secret } : null;
}

/** Keeps keys out of the audit. INVALID_ARGUMENT for a text that contains one. */
export function rejectKeys(text: string): void {
  if (WHOLE_KEY.test(text)) throw new AppError('INVALID_ARGUMENT', 'neither actor nor reason may contain a key');
}
