/** Fake auth, catalog, metadata and transcode for a service that calls them, on one real gRPC port. */
import { auth, catalog, metadata, transcode } from '@vds/proto';
import type { AuthServiceHandlers } from '@vds/proto/generated/vds/auth/v1/AuthService.ts';
import type { CatalogServiceHandlers } from '@vds/proto/generated/vds/catalog/v1/CatalogService.ts';
import type { MetadataServiceHandlers } from '@vds/proto/generated/vds/metadata/v1/MetadataService.ts';
import type { TranscodeServiceHandlers } from '@vds/proto/generated/vds/transcode/v1/TranscodeService.ts';
import { serveRpc, service, type Methods } from '@vds/chassis/rpc/rpc';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { noTls, rpcCallers } from './rpc-callers.ts';

export type AuthMethods = Methods<AuthServiceHandlers>;
export type CatalogMethods = Methods<CatalogServiceHandlers>;
type TranscodeMethods = Methods<TranscodeServiceHandlers>;
export type FakePeers = {
  readonly auth?: Partial<AuthMethods>;
  readonly catalog: Partial<CatalogMethods>;
  readonly metadata?: Partial<Methods<MetadataServiceHandlers>>;
  readonly transcode?: Partial<TranscodeMethods>;
};

/**
 * Serves the given methods; any other call fails.
 * @param caller the service that calls them, with the token `tokenOf(caller)`
 */
export function serveFakePeers(caller: string, peers: FakePeers, port = 0) {
  const served = <H>(definition: { readonly service: Parameters<typeof service>[0] }, given: object = {}) =>
    everyMethod<H>(definition.service, caller, given);
  return serveRpc({
    port,
    services: [
      served<AuthServiceHandlers>(auth.AuthService, peers.auth),
      served<CatalogServiceHandlers>(catalog.CatalogService, peers.catalog),
      served<MetadataServiceHandlers>(metadata.MetadataService, peers.metadata),
      served<TranscodeServiceHandlers>(transcode.TranscodeService, peers.transcode),
    ],
    log: createLogger('peers', 'error', { write: () => {} }),
    metrics: createMetrics('peers'),
    config: { rpcCallers: [rpcCallers([caller])], ...noTls },
  });
}

function everyMethod<H>(definition: Parameters<typeof service>[0], caller: string, given: object) {
  const names = Object.keys(definition);
  const missing = async (): Promise<never> => {
    throw new Error('this test does not expect the call');
  };
  const allowed = Object.fromEntries(names.map((name) => [name, [caller]]));
  const methods = { ...Object.fromEntries(names.map((name) => [name, missing])), ...given };
  return service<H>(definition, allowed as never, methods as never);
}
