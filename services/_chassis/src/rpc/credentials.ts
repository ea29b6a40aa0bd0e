/** The credentials of gRPC servers and clients: mutual TLS with the process's certificates, or none. */
import { credentials, experimental, ServerCredentials, type ChannelCredentials } from '@grpc/grpc-js';
import {
  certificatesOf,
  type CertificatesListener,
  type CertificateStore,
  type TlsFiles,
} from '../config/tls-files.ts';

/** The library's own watcher drops every connection while a file cannot be read; ours keeps the previous ones. */
class RenewedServerCredentials extends ServerCredentials {
  constructor({ current, listeners }: CertificateStore) {
    super({ requestCert: true, rejectUnauthorized: true }, current());
    listeners.add((certificates) => this.updateSecureContextOptions(certificates));
  }
  override _equals(other: ServerCredentials): boolean {
    return this === other;
  }
}

type UpdateListener<Update> = (update: Update | null) => void;

/** Without files: no TLS. With them clients must present a certificate that the CA signed. */
export function serverCredentials(files: TlsFiles): ServerCredentials {
  const store = certificatesOf(files);
  return store ? new RenewedServerCredentials(store) : ServerCredentials.createInsecure();
}

/** Without files: no TLS. @throws Error if some of them are missing */
export function channelCredentials(files: TlsFiles): ChannelCredentials {
  const store = certificatesOf(files);
  if (!store) return credentials.createInsecure();
  const provider = certificateProvider(store);
  return experimental.createCertificateProviderChannelCredentials(provider, provider);
}

/** The store as the library's client credentials need it: a listener is called at once and after every change. */
function certificateProvider({ current, listeners }: CertificateStore): experimental.CertificateProvider {
  const adapters = new Map<unknown, CertificatesListener>();
  const add = (listener: unknown, adapter: CertificatesListener): void => {
    adapters.set(listener, adapter);
    listeners.add(adapter);
    process.nextTick(() => adapter(current()));
  };
  const remove = (listener: unknown): void => {
    const adapter = adapters.get(listener);
    if (adapter !== undefined) listeners.delete(adapter);
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
