/**
 * Every connection of this service to a partner's host is dialled here. Every address that a name resolves to is
 * checked, the address that was checked is the one dialled, and the certificate is checked against the name.
 */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, getCACertificates, type TLSSocket } from 'node:tls';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import {
  hostKey,
  isPublicAddress,
  wellKnownNat64,
  type Network,
  type PinnedHost,
} from '@vds/chassis/net/public-address';
import { dialOrder } from '../domain/dial-order.ts';
import { sourceFault } from '../domain/source-fault.ts';
import { hostOf, portOf } from '../domain/source-url.ts';
import { certificateReasonOf, tlsFaultOf } from '../domain/tls-failure.ts';
import { withDeadline } from './deadline.ts';
import type { ResolveHost } from './resolve-host.ts';

// Beyond this many, further addresses of a name are not tried.
const ADDRESSES_TRIED = 4;

export type DialerOptions = {
  readonly resolve: ResolveHost;
  /** Ranges that the operator blocks in addition to everything that is not public. */
  readonly blocked: readonly Network[];
  /** Prefixes below which the operator's DNS64 puts IPv4 addresses, besides the well-known one. */
  readonly nat64Prefixes: readonly Network[];
  /** Hosts whose address the operator pins; they are dialled unchecked. */
  readonly pinned: ReadonlyMap<string, PinnedHost>;
  /** PEM of a certificate authority that is trusted in addition to those of Node.js. */
  readonly extraCa: string | undefined;
  readonly connectMs: number;
  readonly tlsMs: number;
};

export type Dial = (url: URL, signal: AbortSignal) => Promise<TLSSocket>;

/** Creates the dialer. It throws address_blocked, connect_…, tls_… or certificate_… faults. */
export function createDialer({ resolve, pinned, extraCa, connectMs, tlsMs, ...policy }: DialerOptions): Dial {
  const nat64Prefixes = [wellKnownNat64, ...policy.nat64Prefixes];
  const secureContext = createSecureContext({
    minVersion: 'TLSv1.2',
    // Not the default ones: they include those of the operator's own servers (NODE_EXTRA_CA_CERTS).
    ca: [...getCACertificates('bundled'), ...(extraCa === undefined ? [] : [extraCa])],
  });

  const endpointsOf = async (url: URL, signal: AbortSignal): Promise<readonly PinnedHost[]> => {
    const pin = pinOf(pinned, url);
    if (pin) return [pin];
    const [host, port] = [hostOf(url), portOf(url)];
    const addresses = isIP(host) === 0 ? await resolve(host, signal) : [host];
    if (!addresses.every((address) => isPublicAddress(address, policy.blocked, nat64Prefixes)))
      throw sourceFault('address_blocked');
    return dialOrder(addresses, ADDRESSES_TRIED).map((address) => ({ address, port }));
  };

  return async (url, signal) => {
    const host = hostOf(url);
    const endpoints = await endpointsOf(url, signal);
    await failpoint('ingest.address-resolved');
    const socket = await openTcp(endpoints, connectMs, signal);
    return withDeadline(
      tlsMs,
      () => sourceFault('tls_timeout'),
      signal,
      (inTime) => {
        const secured = connectTls({
          socket,
          host,
          // RFC 6066 §3: literal addresses are not sent as a server name; the certificate is still checked against
          // `host`.
          servername: isIP(host) === 0 ? host : '',
          ALPNProtocols: ['http/1.1'],
          secureContext,
          rejectUnauthorized: true,
        });
        secured.once('close', () => socket.destroy());
        return opened(secured, 'secureConnect', inTime, (cause) =>
          secured.authorizationError
            ? sourceFault('certificate_invalid', { cause, details: { reason: certificateReasonOf(cause) } })
            : sourceFault(tlsFaultOf(cause) ?? 'tls_failed', { cause }),
        );
      },
    );
  };
}

/** The address that the operator pinned for the host and port of a URL. */
export function pinOf(pinned: DialerOptions['pinned'], url: URL): PinnedHost | undefined {
  return pinned.get(hostKey(url.hostname.replace(/\.$/, ''), portOf(url)));
}

/** Tries the addresses in turn; each gets its share of the remaining deadline. */
async function openTcp(endpoints: readonly PinnedHost[], deadlineMs: number, outer: AbortSignal): Promise<Socket> {
  const began = performance.now();
  let last: unknown;
  for (const [index, { address, port }] of endpoints.entries()) {
    const ms = (deadlineMs - (performance.now() - began)) / (endpoints.length - index);
    try {
      return await withDeadline(
        ms,
        () => sourceFault('connect_timeout'),
        outer,
        (signal) =>
          opened(connectTcp({ host: address, port, autoSelectFamily: false }), 'connect', signal, (cause) =>
            sourceFault('connect_failed', { cause }),
          ),
      );
    } catch (error) {
      if (outer.aborted) throw error;
      last = error;
    }
  }
  throw last;
}

/** Waits for `event`; an error before it, or the signal, destroys the socket and rejects. */
function opened<S extends Socket>(
  socket: S,
  event: string,
  signal: AbortSignal,
  faultOf: (error: Error) => Error,
): Promise<S> {
  return new Promise((resolve, reject) => {
    const abort = (): void => void socket.destroy(signal.reason as Error);
    const finish = (error?: Error): void => {
      signal.removeEventListener('abort', abort);
      if (!error) return resolve(socket);
      socket.destroy();
      reject(signal.aborted ? (signal.reason as Error) : faultOf(error));
    };
    signal.addEventListener('abort', abort, { once: true });
    socket.once(event, () => finish());
    // Stays for the socket's lifetime: an error after the handshake reaches the socket's reader.
    socket.on('error', finish);
    socket.once('close', () => finish(new Error('closed')));
  });
}
