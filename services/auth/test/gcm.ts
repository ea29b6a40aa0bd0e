/** AES-256-GCM by the Web Cryptography API: an independent judge of what is sealed. */

/** Whether the secret (base64 of 32 bytes) opens 12 bytes nonce ‖ 16 bytes tag ‖ ciphertext for this id. */
export async function opensWith(secret: string, id: string, sealed: Buffer): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', Buffer.from(secret, 'base64'), 'AES-GCM', false, ['decrypt']);
  const algorithm = { name: 'AES-GCM', iv: sealed.subarray(0, 12), additionalData: Buffer.from(id), tagLength: 128 };
  const tagLast = Buffer.concat([sealed.subarray(28), sealed.subarray(12, 28)]);
  return crypto.subtle.decrypt(algorithm, key, tagLast).then(
    () => true,
    () => false,
  );
}
