/** Checks on the text of a source's address, for the first request and for every redirect. */
import { sourceFault, statusOf } from './source-fault.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const PRIVATE_SUFFIXES = ['.localhost', '.local', '.internal', '.home.arpa'];

/** A response as far as redirects need it: its status, its Location and its own address. */
type Redirecting = { readonly status: number; readonly location: string | undefined; readonly from: URL };

export function portOf(url: URL): number {
  return url.port === '' ? 443 : Number(url.port);
}

/**
 * Parses an address that is to be dialled.
 * @param isPinned whether the operator pinned the address of this host and port, so that its name may be a private one
 * @throws address_blocked for anything but https, for user info, and for names that cannot be public
 */
export function parseSourceUrl(text: string, isPinned: (url: URL) => boolean): URL {
  const url = URL.parse(text);
  if (!url) throw sourceFault('address_blocked');
  const permitted = url.protocol === 'https:' && url.username === '' && url.password === '';
  const host = hostOf(url);
  if (!permitted || host === '') throw sourceFault('address_blocked');
  if (isPrivateName(host) && !isPinned(url)) throw sourceFault('address_blocked');
  return url;
}

/** The host of a URL as DNS and TLS know it: without the brackets of an IPv6 literal and without a closing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** Whether a name can only refer to a host in a private network (RFC 6761, RFC 6762, RFC 8375). */
function isPrivateName(host: string): boolean {
  return !host.includes(':') && (!host.includes('.') || PRIVATE_SUFFIXES.some((suffix) => host.endsWith(suffix)));
}

/**
 * The absolute address of a redirect, not yet checked, or undefined when the response is none.
 * @param followed redirects followed so far
 * @throws redirects_exceeded after `limit`, redirect_invalid without a location that is an address
 */
export function redirectLocation(
  { status, location, from }: Redirecting,
  followed: number,
  limit: number,
): string | undefined {
  if (!REDIRECTS.has(status)) return undefined;
  const next = location === undefined || location === '' ? null : URL.parse(asciiOf(location), from);
  if (!next) throw sourceFault('redirect_invalid', { details: statusOf(status) });
  if (followed >= limit)
    throw sourceFault('redirects_exceeded', { details: { ...statusOf(status), redirects: String(limit) } });
  return next.href;
}

/** Header bytes beyond ASCII, which arrive as Latin-1, percent-encoded one by one as browsers do: their text may be UTF-8. */
function asciiOf(location: string): string {
  return location.replaceAll(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}
