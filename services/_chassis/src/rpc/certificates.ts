/**
 * The process's own certificate, its key and the authority's certificate, read again when the files change: cert-manager
 * renews them in the mounted Secret, and nobody restarts a pod for that. Servers and clients use the new ones from the
 * next handshake on; no connection is older than a minute.
 */
import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { credentials, experimental, ServerCredentials, type ChannelCredentials } from '@grpc/grpc-js';
import { optional, text, type ConfigOf, type ConfigSpec } from '../config/config.ts';
import { messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export const tlsConfig = {
  tlsCertFile: ['TLS_CERT_FILE', optional(text)],
  tlsKeyFile: ['TLS_KEY_FILE', optional(text)],
  tlsCaFile: ['TLS_CA_FILE', optional(text)],
} as const satisfies ConfigSpec;

type Files = ConfigOf<typeof tlsConfig>;
type Loaded = { readonly cert: Buffer | undefined; readonly key: Buffer | undefined; readonly ca: Buffer | undefined };
type Listener = (loaded: Loaded) => void;
type Certificates = ReturnType<typeof open>;

/** One a process for the same files, so that its servers and clients change together. */
const opened = new Map<string, Certificates>();

/** The library's own take no certificate without an authority, and are told of changes by a timer each. */
class WatchedServerCredentials extends ServerCredentials {
  readonly #certificates: Certificates;
  constructor(certificates: Certificates) {
    const { ca } = certificates.now();
    super({ requestCert: ca !== undefined, rejectUnauthorized: ca !== undefined }, certificates.now());
    this.#certificates = certificates;
  }
  override _getSecureContextOptions(): Loaded {
    return this.#certificates.now();
  }
  override _addWatcher(watcher: Listener): void {
    this.#certificates.listen(watcher);
  }
  override _removeWatcher(watcher: Listener): void {
    this.#certificates.forget(watcher);
  }
  override _equals(other: ServerCredentials): boolean {
    return this === other;
  }
}

type Told<Update> = (update: Update | null) => void;

/** kubelet brings a changed Secret within a minute or two; certificates are renewed weeks before they end. */
const LOOK_EVERY_MS = 60_000;

type Watching = { readonly log: Logger; readonly metrics: Metrics; readonly everyMs?: number };

/** Without files: no TLS. With an authority: only who shows a certificate of it is let in. */
export function serverCredentials(files: Files): ServerCredentials {
  return files.tlsCertFile === undefined || files.tlsKeyFile === undefined
    ? ServerCredentials.createInsecure()
    : new WatchedServerCredentials(certificatesOf(files));
}

function certificatesOf(files: Files): Certificates {
  const { tlsCertFile, tlsKeyFile, tlsCaFile } = files;
  const name = JSON.stringify([tlsCertFile, tlsKeyFile, tlsCaFile]);
  const certificates = opened.get(name) ?? open(files);
  opened.set(name, certificates);
  return certificates;
}

function open(files: Files) {
  let loaded = load(files);
  const listeners = new Set<Listener>();
  return {
    now: (): Loaded => loaded,
    listen: (listener: Listener): void => void listeners.add(listener),
    forget: (listener: Listener): void => void listeners.delete(listener),
    /** Reads the files again; true where something has changed. What cannot be used changes nothing, and is thrown. */
    refresh: (): boolean => {
      const found = load(files);
      if (same(found, loaded)) return false;
      loaded = found;
      for (const listener of listeners) listener(loaded);
      return true;
    },
  };
}

/** @throws Error where a file is missing, broken, or the key is not the certificate's: also in the middle of a change */
function load({ tlsCertFile, tlsKeyFile, tlsCaFile }: Files): Loaded {
  const read = (file: string | undefined): Buffer | undefined => (file === undefined ? undefined : readFileSync(file));
  const loaded = { cert: read(tlsCertFile), key: read(tlsKeyFile), ca: read(tlsCaFile) };
  createSecureContext(loaded);
  return loaded;
}

function same(one: Loaded, other: Loaded): boolean {
  return (['cert', 'key', 'ca'] as const).every((part) => String(one[part]) === String(other[part]));
}

/** Without an authority's file: no TLS. */
export function channelCredentials(files: Files): ChannelCredentials {
  if (files.tlsCaFile === undefined) return credentials.createInsecure();
  const provider = providerOf(certificatesOf(files));
  const identity = files.tlsCertFile === undefined || files.tlsKeyFile === undefined ? null : provider;
  return experimental.createCertificateProviderChannelCredentials(provider, identity);
}

/** What the library asks: told at once, and again with every change. */
function providerOf(certificates: Certificates): experimental.CertificateProvider {
  const told = new Map<unknown, Listener>();
  const add = (listener: unknown, tell: Listener): void => {
    told.set(listener, tell);
    certificates.listen(tell);
    process.nextTick(() => tell(certificates.now()));
  };
  const remove = (listener: unknown): void => {
    const tell = told.get(listener);
    if (tell !== undefined) certificates.forget(tell);
    told.delete(listener);
  };
  return {
    addCaCertificateListener: (listener: Told<experimental.CaCertificateUpdate>) =>
      add(listener, ({ ca }) => listener(ca === undefined ? null : { caCertificate: ca })),
    removeCaCertificateListener: remove,
    addIdentityCertificateListener: (listener: Told<experimental.IdentityCertificateUpdate>) =>
      add(listener, ({ cert, key }) =>
        listener(cert === undefined || key === undefined ? null : { certificate: cert, privateKey: key }),
      ),
    removeIdentityCertificateListener: remove,
  };
}

/** Looks at the files from now on, and tells when the certificate in use ends. */
export function watchCertificates(files: Files, { log, metrics, everyMs = LOOK_EVERY_MS }: Watching) {
  const certificates = certificatesOf(files);
  const endOf = ({ cert }: Loaded): number | undefined =>
    cert === undefined ? undefined : new X509Certificate(cert).validToDate.getTime() / 1_000;
  metrics.gauge(
    'vds_tls_certificate_expires_seconds',
    'Unix time at which the certificate in use ends',
    [],
    (gauge) => {
      const end = endOf(certificates.now());
      if (end !== undefined) gauge.set(end);
    },
  );
  const look = (): void => {
    try {
      if (certificates.refresh()) log.info({ expires_s: endOf(certificates.now()) }, 'new certificates are in use');
    } catch (error) {
      log.warn({ reason: messageOf(error) }, 'the certificate files cannot be used; the ones before stay in use');
    }
  };
  const timer = setInterval(look, everyMs).unref();
  return { close: async (): Promise<void> => clearInterval(timer) };
}
