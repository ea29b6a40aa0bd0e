/** A throw-away certificate authority and one certificate under it, for servers and for clients (X.509, ECDSA P-256). */
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

export type Certificates = {
  /** The authority's certificate, PEM: what a client has to trust. */
  readonly caCertificate: string;
  /** The server's certificate, PEM. */
  readonly certificate: string;
  /** The server's private key, PKCS #8 PEM. */
  readonly key: string;
};

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

/** A name or an address that a certificate is for. */
export type Subject = { readonly type: 'dns' | 'ip'; readonly value: string };

/** Makes an authority and a certificate for `hosts` (DNS names and IP addresses) that it signed. The authority's key is dropped. */
export async function makeCertificates(hosts: readonly Subject[]): Promise<Certificates> {
  const authorityKeys = await keyPair();
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Throw-away test authority',
    keys: authorityKeys,
    signingAlgorithm: ALGORITHM,
    ...validity(),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const keys = await keyPair();
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=Test origin',
    issuer: authority.subject,
    publicKey: keys.publicKey,
    signingKey: authorityKeys.privateKey,
    signingAlgorithm: ALGORITHM,
    ...validity(),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth]),
      new x509.SubjectAlternativeNameExtension([...hosts]),
      await x509.AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    caCertificate: `${authority.toString('pem')}\n`,
    certificate: `${certificate.toString('pem')}\n`,
    key: `-----BEGIN PRIVATE KEY-----\n${key.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`,
  };
}

async function keyPair(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

/** Valid from yesterday, so that a clock a little behind still accepts it, for 30 days. */
function validity(): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + 30 * DAY_MS),
  };
}
