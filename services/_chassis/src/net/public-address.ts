/** What a public internet address is, and hosts that the operator pins to an address. Pure: nothing is resolved. */
import ipaddr from 'ipaddr.js';

/** An address range: the network's address and the length of its prefix in bits. */
export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Azure's platform address: public by the registries, but served by the cloud's internal endpoint. */
const PLATFORM_ADDRESS = '168.63.129.16';
const globalUnicast: Network = ipaddr.parseCIDR('2000::/3');

/** Where DNS64 puts IPv4 addresses unless the operator chose a prefix of their own (RFC 6052 §2.1). */
export const wellKnownNat64: Network = ipaddr.parseCIDR('64:ff9b::/96');
const NAT64_LENGTHS: readonly number[] = [32, 40, 48, 56, 64, 96];

export type PinnedHost = {
  readonly address: string;
  /** Where to connect; the requested port unless the pin names another one. */
  readonly port: number;
};

/**
 * Whether an IP address is public: unicast, in none of the IANA special-purpose registries (RFC 6890), IPv4 or inside
 * 2000::/3, neither ISATAP nor a cloud's platform address. IPv6 forms that embed an IPv4 address (mapped, 6to4, Teredo,
 * NAT64) are never public, except below the given prefixes.
 * @param address in any spelling, without brackets; anything that is not an address is not public
 * @param blocked further ranges that the operator forbids
 * @param nat64Prefixes an address below one of them is as public as the IPv4 address in it
 */
export function isPublicAddress(
  address: string,
  blocked: readonly Network[] = [],
  nat64Prefixes: readonly Network[] = [],
): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  const translated = nat64Prefixes.filter((prefix) => isIn(parsed, prefix));
  if (translated.length > 0)
    return (
      !blocked.some((network) => isIn(parsed, network)) &&
      translated.every((prefix) => isPublicAddress(ipv4Below(prefix, parsed), blocked))
    );
  if (parsed.range() !== 'unicast' || parsed.toString() === PLATFORM_ADDRESS) return false;
  if (parsed instanceof ipaddr.IPv6 && (!isIn(parsed, globalUnicast) || isIsatap(parsed))) return false;
  return !blocked.some((network) => isIn(parsed, network));
}

/** Whether the text is an IP address. */
export function isAddress(text: string): boolean {
  return ipaddr.isValid(text);
}

/** Whether the text is an address in one of the networks; an IPv4 address in IPv6 (RFC 4291 §2.5.5.2) is that of IPv4. */
export function isWithin(address: string, networks: readonly Network[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return networks.some((network) => isIn(parsed, network));
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** ISATAP (RFC 5214 §6.1): the interface identifier embeds an IPv4 address that a host may be routed to. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const identifier = `${address.parts[4]?.toString(16)}:${address.parts[5]?.toString(16)}`;
  return identifier === '0:5efe' || identifier === '200:5efe';
}

/** The IPv4 address that an address has below a NAT64 prefix (RFC 6052 §2.2): bits 64 to 71 are not part of it. */
function ipv4Below([, bits]: Network, address: ipaddr.IPv4 | ipaddr.IPv6): string {
  const below = address.toByteArray().filter((_byte, at) => at >= bits / 8 && (at !== 8 || bits > 64));
  return below.slice(0, 4).join('.');
}

/**
 * Parses NAT64 prefixes such as `2001:db8:64::/96`.
 * @throws Error that names the first invalid one
 */
export function parseNat64Prefixes(prefixes: readonly string[]): readonly Network[] {
  return parseNetworks(prefixes).map((network, at) => {
    if (network[0].kind() === 'ipv6' && NAT64_LENGTHS.includes(network[1])) return network;
    throw new Error(
      `'${prefixes[at]}' is not a NAT64 prefix such as 2001:db8:64::/96, of ${NAT64_LENGTHS.join(', ')} bits`,
    );
  });
}

/**
 * Parses ranges such as `203.0.113.0/24` or `2001:db8::/32`; a single address is a range of one.
 * @throws Error that names the first invalid one
 */
export function parseNetworks(ranges: readonly string[]): readonly Network[] {
  return ranges.map((range) => {
    try {
      if (range.includes('/')) return ipaddr.parseCIDR(range);
      const address = ipaddr.parse(range);
      return [address, address.kind() === 'ipv4' ? 32 : 128];
    } catch (cause) {
      throw new Error(`'${range}' is not an address range such as 203.0.113.0/24`, { cause });
    }
  });
}

/**
 * Parses pins such as `media.test:443=127.0.0.1:8443`: the requested host and port, and the IP (and port) to connect to
 * instead. IPv6 addresses are in brackets.
 * @throws Error that names the first invalid pin
 */
export function parsePinnedHosts(pins: readonly string[]): ReadonlyMap<string, PinnedHost> {
  return new Map(
    pins.map((pin) => {
      const match = /^(\[[^\]]+\]|[^:=[\]]+):(\d+)=(?:\[([^\]]+)\]|([^:=[\]]+))(?::(\d+))?$/.exec(pin);
      const requested = portOf(match?.[2]);
      const port = match?.[5] === undefined ? requested : portOf(match[5]);
      const address = match?.[3] ?? match?.[4];
      if (!match?.[1] || !requested || !port || !address || !ipaddr.isValid(address))
        throw new Error(`'${pin}' is not a pinned host such as media.test:443=127.0.0.1:8443`);
      return [hostKey(match[1], requested), { address, port }] as const;
    }),
  );
}

function portOf(text: string | undefined): number | undefined {
  const port = Number(text);
  return text !== undefined && /^\d+$/.test(text) && port >= 1 && port <= 65_535 ? port : undefined;
}

/** `<host>:<port>` in lower case, without IPv6 brackets and a trailing dot: a key of `parsePinnedHosts`. */
export function hostKey(host: string, port: number): string {
  return `${host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')}:${port}`;
}
