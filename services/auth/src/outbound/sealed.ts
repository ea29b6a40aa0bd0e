/** Secrets at rest: private signing keys, and the keys of viewers' hashes. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AppError } from '@vds/chassis/errors';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Each has 32 bytes. The first seals; the second, if any, is being phased out and only opens. */
export type SealingSecrets = readonly [current: Buffer, previous?: Buffer];

/**
 * Encrypts a secret with AES-256-GCM (NIST SP 800-38D): 12 bytes nonce ‖ 16 bytes tag ‖ ciphertext.
 * @param id authenticated with the text: it opens under this id only
 */
export function seal([secret]: SealingSecrets, id: string, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(id));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/**
 * Decrypts what `seal` returned.
 * @throws AppError INTERNAL for other secrets or another id, or when a bit was changed
 */
export function unseal([current, previous]: SealingSecrets, id: string, sealed: Uint8Array): string {
  try {
    return open(current, id, sealed);
  } catch (cause) {
    if (previous !== undefined) return unseal([previous], id, sealed);
    throw new AppError('INTERNAL', `SIGNING_KEY_SECRET does not open what is sealed for ${id}`, { cause });
  }
}

/** The same text under the current secret; undefined if that opens it already. @throws as `unseal` */
export function reseal(secrets: SealingSecrets, id: string, sealed: Uint8Array): Buffer | undefined {
  const [current, previous] = secrets;
  try {
    unseal([current], id, sealed);
    return undefined;
  } catch (error) {
    if (previous === undefined) throw error;
    return seal([current], id, unseal([previous], id, sealed));
  }
}

/** @throws Error of the cipher */
function open(secret: Buffer, id: string, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed);
  const tagEnd = NONCE_BYTES + TAG_BYTES;
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', secret, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(id));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, tagEnd));
  return decipher.update(bytes.subarray(tagEnd), undefined, 'utf8') + decipher.final('utf8');
}
