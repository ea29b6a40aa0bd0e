/**
 * The process's certificate, its key and the CA certificate, reloaded when the files change: cert-manager renews them in
 * the mounted Secret without a restart of the pod. Servers and clients use the new ones from the next handshake on; no
 * connection lives longer than a minute.
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
type CertificateStore = ReturnType<typeof openStore>;

/** One store per process and set of files, so that its servers and clients change together. */
const stores = new Map<string, CertificateStore>();

/** The library's own credentials need a CA, and each polls for changes with its own timer. */
class WatchedServerCredentials extends ServerCredentials {
  readonly #store: CertificateStore;
  constructor(store: CertificateStore) {
    super({ requestCert: true, rejectUnauthorized: true }, store.current());
    this.#store = store;
  }
  override _getSecureContextOptions(): Loaded {
    return this.#store.current();
  }
  override _addWatcher(watcher: Listener): void {
    this.#store.listeners.add(watcher);
  }
  override _removeWatcher(watcher: Listener): void {
    this.#store.listeners.delete(watcher);
  }
  override _equals(other: ServerCredentials): boolean {
    return this === other;
  }
}

type UpdateListener<Update> = (update: Update | null) => void;

/** kubelet updates a mounted Secret within two minutes; certificates are renewed weeks before they expire. */
const CHECK_EVERY_MS = 60_000;

type WatchDeps = { readonly log: Logger; readonly metrics: Metrics; readonly everyMs?: number };

/** Without files: no TLS. With them clients must present a certificate that the CA signed. */
export function serverCredentials(files: Files): ServerCredentials {
  return hasTls(files) ? new WatchedServerCredentials(storeOf(files)) : ServerCredentials.createInsecure();
}

/** @throws Error where some of the files are missing: whoever names one expects TLS */
function hasTls({ tlsCertFile, tlsKeyFile, tlsCaFile }: Files): boolean {
  const files = [tlsCertFile, tlsKeyFile, tlsCaFile];
  if (files.every((file) => file === undefined)) return false;
  if (!files.includes(undefined)) return true;
  throw new Error('TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE belong together: set all of them or none');
}

function storeOf(files: Files): CertificateStore {
  const { tlsCertFile, tlsKeyFile, tlsCaFile } = files;
  const name = JSON.stringify([tlsCertFile, tlsKeyFile, tlsCaFile]);
  const store = stores.get(name) ?? openStore(files);
  stores.set(name, store);
  return store;
}

function openStore(files: Files) {
  let loaded = load(files);
  const listeners = new Set<Listener>();
  return {
    current: (): Loaded => loaded,
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

/** @throws Error if a file is missing or invalid, or the key does not match the certificate, as in the middle of a change */
function load({ tlsCertFile, tlsKeyFile, tlsCaFile }: Files): Loaded {
  const read = (file: string | undefined): Buffer | undefined => (file === undefined ? undefined : readFileSync(file));
  const loaded = { cert: read(tlsCertFile), key: read(tlsKeyFile), ca: read(tlsCaFile) };
  createSecureContext(loaded);
  return loaded;
}

/** Without files: no TLS. @throws Error where some of them are missing */
export function channelCredentials(files: Files): ChannelCredentials {
  if (!hasTls(files)) return credentials.createInsecure();
  const provider = certificateProvider(storeOf(files));
  return experimental.createCertificateProviderChannelCredentials(provider, provider);
}

/** The store as the library's client credentials need it: a listener is called at once and after every change. */
function certificateProvider(store: CertificateStore): experimental.CertificateProvider {
  const adapters = new Map<unknown, Listener>();
  const add = (listener: unknown, adapter: Listener): void => {
    adapters.set(listener, adapter);
    store.listeners.add(adapter);
    process.nextTick(() => adapter(store.current()));
  };
  const remove = (listener: unknown): void => {
    const adapter = adapters.get(listener);
    if (adapter !== undefined) store.listeners.delete(adapter);
    adapters.delete(listener);
  };
  return {
    addCaCertificateListener: (listener: UpdateListener<experimental.CaCertificateUpdate>) =>
      add(listener, ({ ca }) => listener(ca === undefined ? null : { caCertificate: ca })),
    removeCaCertificateListener: remove,
    addIdentityCertificateListener: (listener: UpdateListener<experimental.IdentityCertificateUpdate>) =>
      add(listener, ({ cert, key }) =>
        listener(cert === undefined || key === undefined ? null : { certificate: cert, privateKey: key }),
      ),
    removeIdentityCertificateListener: remove,
  };
}

/** Reloads the files when they change, and exports when the certificate in use expires. */
export function watchCertificates(files: Files, { log, metrics, everyMs = CHECK_EVERY_MS }: WatchDeps) {
  const store = storeOf(files);
  const expirySeconds = (): number | undefined => {
    const { cert } = store.current();
    return cert === undefined ? undefined : new X509Certificate(cert).validToDate.getTime() / 1_000;
  };
  const help = 'Unix time at which the certificate in use expires';
  metrics.gauge('vds_tls_certificate_expires_seconds', help, [], (gauge) => {
    const expiry = expirySeconds();
    if (expiry !== undefined) gauge.set(expiry);
  });
  const check = (): void => {
    try {
      if (store.refresh()) log.info({ expires_s: expirySeconds() }, 'new certificates are in use');
    } catch (error) {
      log.warn({ reason: messageOf(error) }, 'the certificate files cannot be used; the previous ones stay in use');
    }
  };
  const timer = setInterval(check, everyMs).unref();
  return { close: async (): Promise<void> => clearInterval(timer) };
}
