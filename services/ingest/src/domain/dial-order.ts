/** Which of a name's addresses are dialled, and in which order. */

/**
 * IPv4 and IPv6 in turn, IPv4 first: in a cluster that has IPv6 alone a name with many IPv4 addresses is reached by the
 * address that DNS64 made, which must be among those that are tried.
 */
export function dialOrder(addresses: readonly string[], limit: number): readonly string[] {
  const v4 = addresses.filter((address) => !address.includes(':'));
  const v6 = addresses.filter((address) => address.includes(':'));
  return addresses.flatMap((_address, at) => [...v4.slice(at, at + 1), ...v6.slice(at, at + 1)]).slice(0, limit);
}
