/** Certificates for trying out mTLS: a throw-away authority, and one certificate that all components share. */
import { makeCertificates } from './certificates.ts';
import { OPERATOR, rowOf, serviceNames, servesRpc } from '../services.ts';
import type { Secrets } from './release-secrets.ts';

/** The components with RPC, as client or server. */
const rpcComponents = [
  ...serviceNames.filter((service) => rowOf(service).peers.length > 0 || servesRpc(service)),
  OPERATOR,
];

/** The Secrets `<fullname>-<component>-tls`; the certificate is valid for 30 days and for the names of this release's Services. */
export async function tlsSecrets(fullname: string, namespace: string | undefined): Promise<Secrets> {
  const names = rpcComponents.map((service) => `${fullname}-${service}`);
  const full = namespace === undefined ? [] : names.map((name) => `${name}.${namespace}.svc`);
  const hosts = [...names, ...full, 'localhost'];
  const { caCertificate, certificate, key } = await makeCertificates(hosts);
  const files = { 'tls.crt': certificate, 'tls.key': key, 'ca.crt': caCertificate };
  return new Map(names.map((name) => [`${name}-tls`, files]));
}
