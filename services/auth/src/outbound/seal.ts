/** Private keys at rest: AES-256-GCM (NIST SP 800-38D), 12 bytes nonce ‖ 16 bytes tag ‖ ciphertext. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AppError } from '@vds/chassis/errors';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals a text.
 * @param secret 32 bytes
 * @param name bound to the sealed text: it opens under this name only
 */
export function seal(secret: Buffer, name: string, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(name));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/**
 * Opens what `seal` made.
 * @throws AppError INTERNAL when secret or name is another, or a bit was changed
 */
export function unseal(secret: Buffer, name: string, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed);
  const tagEnd = NONCE_BYTES + TAG_BYTES;
  try {
    const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(name));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, tagEnd));
    return decipher.update(bytes.subarray(tagEnd), undefined, 'utf8') + decipher.final('utf8');
  } catch (cause) {
    throw new AppError('INTERNAL', `SIGNING_KEY_SECRET does not open signing key ${name}`, { cause });
  }
}
