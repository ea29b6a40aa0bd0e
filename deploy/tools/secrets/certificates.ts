/** A throw-away certificate authority, and certificates under it for servers and for clients (X.509, ECDSA P-256). */
import { isIP } from 'node:net';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

export type Certificates = ServerCertificate & {
  /** The authority's certificate, PEM, which clients must trust. */
  readonly caCertificate: string;
};

export type ServerCertificate = {
  /** The certificate, PEM. */
  readonly certificate: string;
  /** The private key, PKCS #8 PEM. */
  readonly key: string;
};

export type CertificateAuthority = {
  /** The authority's certificate, PEM. */
  readonly caCertificate: string;
  /**
   * Issues a certificate for DNS names and IP addresses.
   * @param daysLeft until it expires; negative for one that has expired
   */
  readonly issue: (hosts: readonly string[], daysLeft?: number) => Promise<ServerCertificate>;
};

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;
const VALID_DAYS = 30;

/** Makes an authority and a certificate for `hosts` (DNS names and IP addresses) that it signed. The authority's key is dropped. */
export async function makeCertificates(hosts: readonly string[], days = VALID_DAYS): Promise<Certificates> {
  const { caCertificate, issue } = await createAuthority(days);
  return { caCertificate, ...(await issue(hosts, days)) };
}

/** Makes an authority, which keeps its key in memory. */
export async function createAuthority(days = VALID_DAYS): Promise<CertificateAuthority> {
  const authorityKeys = await keyPair();
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Throw-away authority',
    keys: authorityKeys,
    signingAlgorithm: ALGORITHM,
    ...validity(days),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  return {
    caCertificate: `${authority.toString('pem')}\n`,
    issue: async (hosts, daysLeft = VALID_DAYS) => {
      const keys = await keyPair();
      const certificate = await x509.X509CertificateGenerator.create({
        subject: 'CN=vds',
        issuer: authority.subject,
        publicKey: keys.publicKey,
        signingKey: authorityKeys.privateKey,
        signingAlgorithm: ALGORITHM,
        ...validity(daysLeft),
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth]),
          new x509.SubjectAlternativeNameExtension(
            hosts.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
          ),
          await x509.AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
        ],
      });
      return { certificate: `${certificate.toString('pem')}\n`, key: await privateKeyPem(keys) };
    },
  };
}

async function keyPair(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

/** Valid from the day before, so that a clock a little behind still accepts it. */
function validity(daysLeft: number): { notBefore: Date; notAfter: Date } {
  const notAfter = Date.now() + daysLeft * DAY_MS;
  return { notBefore: new Date(Math.min(Date.now(), notAfter) - DAY_MS), notAfter: new Date(notAfter) };
}

async function privateKeyPem({ privateKey }: CryptoKeyPair): Promise<string> {
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${key.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`;
}
