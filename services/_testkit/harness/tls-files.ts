/** Certificates of a throw-away authority as files, as the settings of services and servers name them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates } from '@vds/deploy-tools/secrets/certificates';

export type TlsFiles = {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
  /** The same as PEM. */
  readonly pem: { readonly ca: string; readonly cert: string; readonly key: string };
  readonly remove: () => void;
};

/** @param hosts DNS names and addresses of the certificate */
export async function testTlsFiles(hosts: readonly string[] = ['127.0.0.1', 'localhost']): Promise<TlsFiles> {
  const { caCertificate: ca, certificate: cert, key } = await makeCertificates(hosts);
  const dir = mkdtempSync(join(tmpdir(), 'tls-files-'));
  const write = (name: string, content: string): string => {
    const file = join(dir, name);
    writeFileSync(file, content, { mode: 0o600 });
    return file;
  };
  return {
    caFile: write('ca.pem', ca),
    certFile: write('cert.pem', cert),
    keyFile: write('key.pem', key),
    pem: { ca, cert, key },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
