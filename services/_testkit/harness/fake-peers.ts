/** Fake auth, catalog and transcode for a service that calls them, on one real gRPC port. */
import { auth, catalog, transcode } from '@vds/proto';
import type { AuthServiceHandlers } from '@vds/proto/generated/vds/auth/v1/AuthService.ts';
import type { CatalogServiceHandlers } from '@vds/proto/generated/vds/catalog/v1/CatalogService.ts';
import type { TranscodeServiceHandlers } from '@vds/proto/generated/vds/transcode/v1/TranscodeService.ts';
import { serveRpc, service, type Methods } from '@vds/chassis/rpc/rpc';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { noTls, rpcCallers } from './rpc-callers.ts';

export type AuthMethods = Methods<AuthServiceHandlers>;
export type CatalogMethods = Methods<CatalogServiceHandlers>;
type TranscodeMethods = Methods<TranscodeServiceHandlers>;
export type FakePeers = {
  readonly auth: Partial<AuthMethods>;
  readonly catalog: Partial<CatalogMethods>;
  readonly transcode?: Partial<TranscodeMethods>;
};

/**
 * Serves the given methods; any other call fails.
 * @param caller the service that calls them, with the token `tokenOf(caller)`
 */
export function serveFakePeers(caller: string, peers: FakePeers, port = 0) {
  const ofAuth = everyMethod<AuthMethods>(auth.AuthService.service, caller, peers.auth);
  const ofCatalog = everyMethod<CatalogMethods>(catalog.CatalogService.service, caller, peers.catalog);
  const ofTranscode = everyMethod<TranscodeMethods>(transcode.TranscodeService.service, caller, peers.transcode ?? {});
  return serveRpc({
    port,
    services: [
      service<AuthServiceHandlers>(auth.AuthService.service, ofAuth.allowed, ofAuth.methods),
      service<CatalogServiceHandlers>(catalog.CatalogService.service, ofCatalog.allowed, ofCatalog.methods),
      service<TranscodeServiceHandlers>(transcode.TranscodeService.service, ofTranscode.allowed, ofTranscode.methods),
    ],
    log: createLogger('peers', 'error', { write: () => {} }),
    metrics: createMetrics('peers'),
    config: { rpcCallers: [rpcCallers([caller])], ...noTls },
  });
}

function everyMethod<M>(definition: object, caller: string, given: Partial<M>): { allowed: never; methods: M } {
  const names = Object.keys(definition);
  const missing = async (): Promise<never> => {
    throw new Error('this test does not expect the call');
  };
  return {
    allowed: Object.fromEntries(names.map((name) => [name, [caller]])) as never,
    methods: { ...Object.fromEntries(names.map((name) => [name, missing])), ...given } as M,
  };
}
