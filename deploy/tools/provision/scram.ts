/**
 * What PostgreSQL stores of a password, SCRAM-SHA-256 (RFC 5802, RFC 7677): a statement with it sets the password without
 * containing it, so that neither a script nor the server's log has it.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const ITERATIONS = 4096;
const SALT_BYTES = 16;

/** @throws Error if clients could disagree about the bytes of the password */
export function scramVerifier(password: string, salt: Buffer = randomBytes(SALT_BYTES)): string {
  // Other characters are normalized by some clients (SASLprep) and not by others.
  if (!/^[\x20-\x7e]+$/.test(password)) throw new Error('a database password may have printable ASCII characters only');
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest('base64');
  const serverKey = hmac(salted, 'Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
