/** Certificates for the tests' own HTTPS servers, from an authority made anew each time. */
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

const KEY = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

export type ServerCertificate = { readonly key: string; readonly cert: string };
export type CertificateAuthority = Awaited<ReturnType<typeof createAuthority>>;

/** An authority with the PEM to trust and a maker of server certificates. */
export async function createAuthority() {
  const keys = await crypto.subtle.generateKey(KEY, true, ['sign', 'verify']);
  const name = 'CN=Test authority';
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    signingAlgorithm: KEY,
    keys,
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  });

  /**
   * A certificate for the names or literal addresses given.
   * @param daysLeft until it expires; negative for one that has expired
   */
  const issue = async (hosts: readonly string[], daysLeft = 1): Promise<ServerCertificate> => {
    const own = await crypto.subtle.generateKey(KEY, true, ['sign', 'verify']);
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: Math.floor(Math.random() * 1e9)
        .toString(16)
        .padStart(8, '0'),
      subject: 'CN=Test server',
      issuer: name,
      notBefore: new Date(Date.now() - 30 * DAY_MS),
      notAfter: new Date(Date.now() + daysLeft * DAY_MS),
      signingAlgorithm: KEY,
      publicKey: own.publicKey,
      signingKey: keys.privateKey,
      extensions: [
        new x509.SubjectAlternativeNameExtension(
          hosts.map((host) => ({ type: /^[\d.]+$|:/.test(host) ? ('ip' as const) : ('dns' as const), value: host })),
        ),
      ],
    });
    return {
      key: pemOf('PRIVATE KEY', await crypto.subtle.exportKey('pkcs8', own.privateKey)),
      cert: certificate.toString('pem'),
    };
  };
  return { ca: authority.toString('pem'), issue };
}

function pemOf(type: string, der: ArrayBuffer): string {
  return `-----BEGIN ${type}-----\n${Buffer.from(der).toString('base64')}\n-----END ${type}-----\n`;
}
