/** Certificates of mTLS where no cert-manager makes them: an authority whose key is dropped, and one certificate that all components share. */
import { makeCertificates } from './certificates.ts';
import { APPS, OPERATOR, rowOf, serviceNames, servesRpc } from '../services.ts';
import type { Secrets } from './release-secrets.ts';

/** The components with RPC, as client or server. */
const rpcComponents = [
  ...serviceNames.filter((service) => rowOf(service).peers.length > 0 || servesRpc(service)),
  OPERATOR,
  APPS,
];

/** Nobody renews them by itself: `VdsCertificateExpiring` tells two weeks before. */
export const VALID_DAYS = 365;

export type Place = {
  readonly namespace: string | undefined;
  /** The domain of the cluster's Services. */
  readonly clusterDomain: string;
};

/** The Secrets `<fullname>-<component>-tls`; the certificate is valid for the names of this release's Services and for loopback, to which port-forward leads. */
export async function tlsSecrets(fullname: string, place: Place): Promise<Secrets> {
  const names = rpcComponents.map((service) => `${fullname}-${service}`);
  const hosts = [...names.flatMap((name) => hostNames(name, place)), 'localhost', '127.0.0.1'];
  const { caCertificate, certificate, key } = await makeCertificates(hosts, VALID_DAYS);
  const files = { 'tls.crt': certificate, 'tls.key': key, 'ca.crt': caCertificate };
  return new Map(names.map((name) => [`${name}-tls`, files]));
}

/** Every name by which the cluster's DNS finds a Service. */
function hostNames(service: string, { namespace, clusterDomain }: Place): string[] {
  if (namespace === undefined) return [service];
  return ['', `.${namespace}`, `.${namespace}.svc`, `.${namespace}.svc.${clusterDomain}`].map(
    (rest) => `${service}${rest}`,
  );
}
