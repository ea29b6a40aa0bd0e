/** Composition root of the gateway: the partners' HTTP interface in front of auth and catalog. */
import { requestOwnPort, serveHttp } from '@vds/chassis/http/http';
import { clientOf } from '@vds/chassis/net/client-address';
import { hostKey, isPublicAddress } from '@vds/chassis/net/public-address';
import { withSignal } from '@vds/chassis/process/current-signal';
import { run } from '@vds/chassis/process/run';
import { runStartupChecks } from '@vds/chassis/process/startup-checks';
import { warmUp } from '@vds/chassis/process/warm-up';
import { gatewayConfig } from './config.ts';
import { loadContract } from './inbound/contract.ts';
import { gatewayApp } from './inbound/http.ts';
import { handleParserErrors } from './inbound/protocol-errors.ts';
import { countRefusals } from './inbound/refusals.ts';
import { openAuthClient } from './outbound/auth-client.ts';
import { openCatalogClient } from './outbound/catalog-client.ts';
import { newRequestId, newVideoId } from './outbound/new-id.ts';

/**
 * Invalid keys that auth checks per client address; beyond it 429, except for keys that were accepted in the last ten
 * minutes.
 */
const REFUSALS_PER_MINUTE = 600;
/** Connections of partners; beyond it they are closed at once. */
const MAX_CONNECTIONS = 5_000;

await run('gateway', gatewayConfig, async (scope) => {
  const { config, log, metrics, own, signal: stopping, forceClose, closeWithinMs } = scope;
  const auth = own('auth', openAuthClient(config.authTarget, config, config.peerTimeoutMs));
  const catalog = own('catalog', openCatalogClient(config.catalogTarget, config, config.peerTimeoutMs));
  const app = gatewayApp({
    authorize: auth.authorize,
    refusals: countRefusals(REFUSALS_PER_MINUTE),
    clientOf: (request) => clientOf(request, config.trustedHops).address,
    catalog,
    contract: loadContract(),
    addresses: {
      isPublic: (address) => isPublicAddress(address, config.blockedNetworks),
      trusted: (host, port) => config.privateSources.has(hostKey(host, port)),
    },
    playbackUrl: config.playbackUrl,
    ...{ newVideoId, newRequestId, log, metrics, stopping },
  });
  const http = own(
    'http',
    // Calls for a request that still waits for a silent peer end, so that its partner receives an answer.
    await serveHttp((request, response) => withSignal(forceClose, () => app(request, response)), {
      port: config.httpPort,
      maxConnections: MAX_CONNECTIONS,
      requireHostHeader: false,
      stopping,
      lingerMs: 1_000,
      endWithinMs: closeWithinMs,
      onServer: (server) => handleParserErrors(server, newRequestId),
    }),
  );
  await runStartupChecks(scope, { auth_reached: auth.reach, catalog_reached: catalog.reach });
  await warmUp(scope, {
    // A key that auth rejects without its database.
    http: () => requestOwnPort(http.port, `/v1/videos/${newVideoId()}`, { authorization: 'Bearer warm-up' }),
    catalog: catalog.reach,
  });
  log.info({ http_port: http.port }, 'serving partners');
});
