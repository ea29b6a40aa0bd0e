/** The bearer credential of a request (RFC 6750 §2.1), by the spec's rules (§5, §7). */
export type Credentials =
  | { readonly kind: 'missing' }
  /** Cannot be a key: two headers, another scheme, no token or a token with spaces. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'key'; readonly key: string };

/**
 * Reads every `Authorization` header of a request.
 * @param headers one entry per header line
 */
export function readCredentials(headers: readonly string[]): Credentials {
  const [header = ''] = headers;
  if (headers.length > 1) return { kind: 'malformed' };
  if (header.trim() === '') return { kind: 'missing' };
  const key = /^bearer +([!-~]+)$/i.exec(header.trim())?.[1];
  return key === undefined ? { kind: 'malformed' } : { kind: 'key', key };
}
