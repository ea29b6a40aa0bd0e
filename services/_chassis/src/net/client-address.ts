/** The address of a client behind the hops that the operator trusts. */
import type { IncomingMessage } from 'node:http';
import { isWithin, type Network } from './public-address.ts';

export type Client = {
  /** '' for a connection that is closed already. */
  readonly address: string;
  /** Whether the request came through a trusted hop, whose headers count. */
  readonly viaTrustedHop: boolean;
};

/** Of the peer; behind a trusted hop, the last address of X-Forwarded-For that is none. */
export function clientOf(request: IncomingMessage, trusted: readonly Network[]): Client {
  const peer = bare(request.socket.remoteAddress ?? '');
  if (!isWithin(peer, trusted)) return { address: peer, viaTrustedHop: false };
  const hops = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const addresses = hops.map((hop) => bare(hop.trim()));
  const address = addresses.findLast((one) => one !== '' && !isWithin(one, trusted)) ?? peer;
  return { address, viaTrustedHop: true };
}

/** Without the prefix of an IPv4 address in IPv6 (RFC 4291 §2.5.5.2), which databases do not know. */
function bare(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
