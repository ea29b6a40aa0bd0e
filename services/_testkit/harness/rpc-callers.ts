/** Service tokens and connections without TLS for tests. */
import { createHash } from 'node:crypto';

/** The settings of a client or server without TLS. */
export const noTls = { tlsCertFile: undefined, tlsKeyFile: undefined, tlsCaFile: undefined } as const;

/** The token of a calling service. */
export function tokenOf(caller: string): string {
  return `token-of-${caller}`;
}

/** RPC_CALLERS for these services: the permitted callers, each with the digest of its token. */
export function rpcCallers(callers: readonly string[]): string {
  return callers.map((name) => `${name}=${createHash('sha256').update(tokenOf(name)).digest('hex')}`).join(',');
}

/** Of a service that no person calls: auth, which it would ask for the keys of staff's tokens, is not there. */
export const noAuth = { AUTH_RPC: 'dns:///127.0.0.1:1', RPC_TOKEN: tokenOf('nobody') };
