/** Validates an address only by its text, without DNS. */

export type AddressPolicy = {
  /** Whether an IP address is public. */
  readonly isPublic: (address: string) => boolean;
  /** `<host>:<port>` pairs that the operator exempts from these rules. */
  readonly trusted: (host: string, port: number) => boolean;
};

const HTTPS_PORT = 443;
// URL parsers silently drop or convert these: an address must mean the same to every parser.
const ambiguous = /[\p{White_Space}\p{Cc}\p{Cf}\\]/u;
const internalNames = ['localhost', 'local', 'internal', 'home.arpa'];
/** RFC 1035 §2.3.4, in characters of a name without its root. */
const MAX_LABEL = 63;
const MAX_NAME = 253;
const ipv4 = /^\d+\.\d+\.\d+\.\d+$/;

/**
 * The rule that an address breaks, without the field's name; undefined when only DNS can tell more. The host is checked as WHATWG URL parses
 * it, so that every notation of an IP address (hexadecimal, octal, one number, mapped) is the same.
 * @param text the address as sent, not longer than the contract allows
 */
export function addressError(text: string, policy: AddressPolicy): string | undefined {
  if (ambiguous.test(text))
    return 'must not contain white space, control characters or a backslash; percent-encode them';
  if (!/^https:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) return 'must be an https address';
  const url = new URL(text);
  const authority = /^https:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';
  if (authority.includes('@')) return 'must not contain a user name or password';
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  if (port === 0) return 'must have a port from 1 to 65535';
  return policy.trusted(url.hostname, port) ? undefined : hostError(url.hostname, policy.isPublic);
}

function hostError(hostname: string, isPublic: AddressPolicy['isPublic']): string | undefined {
  const literal = hostname.startsWith('[') ? hostname.slice(1, -1) : ipv4.test(hostname) ? hostname : undefined;
  if (literal === undefined) return nameError(hostname.replace(/\.$/, ''));
  return isPublic(literal) ? undefined : 'must lead to a public internet address';
}

function nameError(name: string): string | undefined {
  const labels = name.split('.');
  if (name.length > MAX_NAME || labels.some((label) => label === '' || label.length > MAX_LABEL))
    return 'must name a host that can exist';
  if (labels.length === 1 || internalNames.some((internal) => name === internal || name.endsWith(`.${internal}`)))
    return 'must name a host on the public internet';
  return undefined;
}
