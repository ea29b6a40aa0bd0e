/**
 * The process's certificate, its key and the CA certificate, reloaded when the files change: cert-manager renews them
 * in the mounted Secret without a restart of the pod. The next handshake uses the new ones; no connection lives longer
 * than a minute.
 */
import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { optional, text, type ConfigOf, type ConfigSpec } from './config.ts';
import { messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export const tlsConfig = {
  /** Certificate of this process for mutual TLS, reloaded when it changes; the three files belong together. */
  tlsCertFile: ['TLS_CERT_FILE', optional(text)],
  /** Its private key. */
  tlsKeyFile: ['TLS_KEY_FILE', optional(text)],
  /** The authority of the other processes. */
  tlsCaFile: ['TLS_CA_FILE', optional(text)],
} as const satisfies ConfigSpec;

export type TlsFiles = ConfigOf<typeof tlsConfig>;
export type Certificates = {
  readonly cert: Buffer | undefined;
  readonly key: Buffer | undefined;
  readonly ca: Buffer | undefined;
};
export type CertificatesListener = (certificates: Certificates) => void;
export type CertificateStore = ReturnType<typeof openStore>;
type WatchDeps = { readonly log: Logger; readonly metrics: Metrics; readonly everyMs?: number };

/** kubelet updates a mounted Secret within two minutes; certificates are renewed weeks before they expire. */
const CHECK_EVERY_MS = 60_000;

/** One store per process and set of files, so that its servers and clients change together. */
const stores = new Map<string, CertificateStore>();

/**
 * The files of the process; undefined: no TLS.
 * @throws Error if some of the files are missing: a setting that names one expects TLS
 */
export function certificatesOf(files: TlsFiles): CertificateStore | undefined {
  const paths = [files.tlsCertFile, files.tlsKeyFile, files.tlsCaFile];
  if (paths.every((path) => path === undefined)) return undefined;
  if (paths.includes(undefined))
    throw new Error('TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE belong together: set all of them or none');
  const name = JSON.stringify(paths);
  const store = stores.get(name) ?? openStore(files);
  stores.set(name, store);
  return store;
}

function openStore(files: TlsFiles) {
  let loaded = load(files);
  const listeners = new Set<CertificatesListener>();
  return {
    current: (): Certificates => loaded,
    listeners,
    /**
     * Reads the files again; returns whether they have changed.
     * @throws Error for unusable files, in which case the loaded ones stay in use
     */
    refresh: (): boolean => {
      const found = load(files);
      if ((['cert', 'key', 'ca'] as const).every((part) => String(found[part]) === String(loaded[part]))) return false;
      loaded = found;
      for (const listener of listeners) listener(loaded);
      return true;
    },
  };
}

/**
 * @throws Error if a file is missing or invalid, or the key does not match the certificate, as halfway through a change
 */
function load({ tlsCertFile, tlsKeyFile, tlsCaFile }: TlsFiles): Certificates {
  const read = (file: string | undefined): Buffer | undefined => (file === undefined ? undefined : readFileSync(file));
  const loaded = { cert: read(tlsCertFile), key: read(tlsKeyFile), ca: read(tlsCaFile) };
  createSecureContext(loaded);
  return loaded;
}

/** Reloads the files when they change, and exports when the certificate in use expires. */
export function watchCertificates(files: TlsFiles, { log, metrics, everyMs = CHECK_EVERY_MS }: WatchDeps) {
  const store = certificatesOf(files);
  const expirySeconds = (): number | undefined => {
    const cert = store?.current().cert;
    return cert === undefined ? undefined : new X509Certificate(cert).validToDate.getTime() / 1_000;
  };
  const help = 'Unix time at which the certificate in use expires';
  metrics.gauge('vds_tls_certificate_expires_seconds', help, [], (gauge) => {
    const expiry = expirySeconds();
    if (expiry !== undefined) gauge.set(expiry);
  });
  const check = (): void => {
    try {
      if (store?.refresh()) log.info({ expires_s: expirySeconds() }, 'new certificates in use');
    } catch (error) {
      log.warn({ reason: messageOf(error) }, 'certificate files unusable; previous ones stay in use');
    }
  };
  const timer = setInterval(check, everyMs).unref();
  return { close: async (): Promise<void> => clearInterval(timer) };
}
