/** Composition root of the gateway: the partners' HTTP interface in front of auth and catalog. */
import { randomBytes } from 'node:crypto';
import { runStartupChecks } from '@vds/chassis/process/startup-checks';
import { serveHttp } from '@vds/chassis/http/http';
import { hostKey, isPublicAddress } from '@vds/chassis/http/public-address';
import { run } from '@vds/chassis/process/run';
import { gatewayConfig } from './config.ts';
import { base32, uuidV7 } from './domain/video-id.ts';
import { loadContract } from './inbound/contract.ts';
import { gatewayApp } from './inbound/http.ts';
import { rejectLikeTheApp } from './inbound/parser-errors.ts';
import { openAuth } from './outbound/auth.ts';
import { openCatalog } from './outbound/catalog.ts';

await run('gateway', gatewayConfig, async (scope) => {
  const { config, log, metrics, own, signal, closeWithinMs } = scope;
  const auth = own('auth', openAuth(config.authTarget, config, config.peerTimeoutMs));
  const catalog = own('catalog', openCatalog(config.catalogTarget, config, config.peerTimeoutMs));
  const newId = (): string => base32(uuidV7(Date.now(), randomBytes(10)));
  const newRequestId = (): string => `req_${newId()}`;
  const app = gatewayApp({
    authorize: auth.authorize,
    catalog,
    contract: loadContract(),
    addresses: {
      isPublic: (address) => isPublicAddress(address, config.blockedNetworks),
      trusted: (host, port) => config.privateSources.has(hostKey(host, port)),
    },
    playbackUrl: config.playbackUrl,
    newVideoId: newId,
    newRequestId,
    log,
    metrics,
    stopping: signal,
  });
  const http = own(
    'http',
    await serveHttp(app, {
      port: config.httpPort,
      requireHostHeader: false,
      stopping: signal,
      lingerMs: 1_000,
      endWithinMs: closeWithinMs,
      onServer: (server) => rejectLikeTheApp(server, newRequestId),
    }),
  );
  await runStartupChecks(scope, { auth_reached: auth.reach, catalog_reached: catalog.reach });
  log.info({ http_port: http.port }, 'serving partners');
});
