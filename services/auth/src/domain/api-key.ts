/**
 * The form of an API key: `svc_live_<id>_<secret>` (spec §5). The id has 24 characters, the secret 32, of which the last
 * 6 are a checksum over everything before them: a mistyped or cut key is told from a real one without a database.
 */
import { toBase62 } from './base62.ts';
import { crc32 } from './crc32.ts';

const PREFIX = 'svc_live_';
const CHECKSUM_CHARACTERS = 6;
const FORM = /^svc_live_([0-9A-Za-z]{24})_([0-9A-Za-z]{32})$/;

export const KEY_ID_CHARACTERS = 24;
/** How many characters of the secret are random. */
export const RANDOM_SECRET_CHARACTERS = 26;

export type ApiKey = { readonly id: string; readonly secret: string };

/**
 * Makes a key of its two random parts.
 * @param id 24 characters of 0-9A-Za-z
 * @param random 26 characters of 0-9A-Za-z
 */
export function makeApiKey(id: string, random: string): ApiKey {
  return {
    id,
    secret: random + checksum(`${PREFIX}${id}_${random}`),
  };
}

function checksum(body: string): string {
  return toBase62(crc32(body), CHECKSUM_CHARACTERS);
}

/** The whole key as its holder sends it. */
export function formatApiKey({ id, secret }: ApiKey): string {
  return `${PREFIX}${id}_${secret}`;
}

/** The parts of a well-formed key, or null where form or checksum is wrong. */
export function parseApiKey(text: string): ApiKey | null {
  const [, id, secret] = FORM.exec(text) ?? [];
  if (id === undefined || secret === undefined) return null;
  const body = text.slice(0, -CHECKSUM_CHARACTERS);
  return checksum(body) === text.slice(-CHECKSUM_CHARACTERS) ? { id, secret } : null;
}

/** Whether a text has the form of a key's id; anything else need not be looked up. */
export function isKeyId(text: string): boolean {
  return /^[0-9A-Za-z]{24}$/.test(text);
}
