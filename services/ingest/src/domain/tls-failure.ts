/** Tells failures of TLS that lie in how a host is set up from those that may pass. */
import type { SourceFaultKind } from './source-fault.ts';

/** Of OpenSSL's reasons: no protocol, cipher, key or name in common, a client certificate required, or no TLS at all. */
const UNSUPPORTED =
  /HANDSHAKE_FAILURE|PROTOCOL|VERSION|UNRECOGNIZED_NAME|CERTIFICATE_REQUIRED|BAD_CERTIFICATE|INSUFFICIENT_SECURITY|SHARED|CIPHER|TOO_SMALL|TOO_WEAK|RENEGOTIATION|HTTP_REQUEST|PACKET_LENGTH/;

/** Of X.509 errors: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const CERTIFICATE_REASONS: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_of_another_name',
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_not_yet_valid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_authority_unknown',
  // An intermediate certificate is missing, or what is there leads to no authority that we know.
  UNABLE_TO_GET_ISSUER_CERT: 'certificate_chain_incomplete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_chain_incomplete',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_chain_incomplete',
};

/** What is wrong with a certificate that was not accepted, in a word for the partner. */
export function certificateReasonOf(error: unknown): string {
  return CERTIFICATE_REASONS[String((error as NodeJS.ErrnoException | null)?.code)] ?? 'certificate_invalid';
}

/** The fault of an error of OpenSSL; undefined for every other error. */
export function tlsFaultOf(error: unknown): Extract<SourceFaultKind, 'tls_unsupported' | 'tls_failed'> | undefined {
  const code = String((error as NodeJS.ErrnoException | null)?.code);
  if (!code.startsWith('ERR_SSL_')) return undefined;
  return UNSUPPORTED.test(code) ? 'tls_unsupported' : 'tls_failed';
}
