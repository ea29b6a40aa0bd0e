/** Tells failures of TLS that lie in how a host is set up from those that may pass. */
import type { SourceFaultKind } from './source-fault.ts';

/** Of OpenSSL's reasons: no protocol, cipher, key or name in common, a client certificate required, or no TLS at all. */
const UNSUPPORTED =
  /HANDSHAKE_FAILURE|PROTOCOL|VERSION|UNRECOGNIZED_NAME|CERTIFICATE_REQUIRED|BAD_CERTIFICATE|INSUFFICIENT_SECURITY|SHARED|CIPHER|TOO_SMALL|TOO_WEAK|RENEGOTIATION|HTTP_REQUEST|PACKET_LENGTH/;

/** The fault of an error of OpenSSL; undefined for every other error. */
export function tlsFaultOf(error: unknown): Extract<SourceFaultKind, 'tls_unsupported' | 'tls_failed'> | undefined {
  const code = String((error as NodeJS.ErrnoException | null)?.code);
  if (!code.startsWith('ERR_SSL_')) return undefined;
  return UNSUPPORTED.test(code) ? 'tls_unsupported' : 'tls_failed';
}
