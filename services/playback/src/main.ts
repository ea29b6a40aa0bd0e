/** Composition root of playback: signed HLS for viewers, out of the buckets of media and captions. */
import { connectLazyBus } from '@vds/chassis/bus/bus';
import { runStartupChecks } from '@vds/chassis/process/startup-checks';
import { serveHttp } from '@vds/chassis/http/http';
import { openObjects } from '@vds/chassis/objects/objects';
import { run } from '@vds/chassis/process/run';
import { playbackConfig } from './config.ts';
import { broadcastHandlers } from './inbound/events.ts';
import { playbackApp } from './inbound/http.ts';
import { openGates } from './outbound/gates.ts';
import { openKeySet } from './outbound/key-set.ts';
import { openFiles, openLadders, openReadMeters } from './outbound/media.ts';
import { openAuth, openCatalog } from './outbound/service-clients.ts';
import { openTokens } from './outbound/tokens.ts';

await run('playback', playbackConfig, async (scope) => {
  const { config, log, metrics, own, signal: stopping, closeWithinMs } = scope;
  const auth = own('auth', openAuth(config.authTarget, config, config.peerTimeoutMs));
  const catalog = own('catalog', openCatalog(config.catalogTarget, config, config.peerTimeoutMs, log));
  const { gateFreshMs: freshMs, gateStaleMs: staleMs } = config;
  const gates = openGates({ resolve: catalog.resolve, freshMs, staleMs, log, metrics });
  // Not waited for: without it changes are seen when a word is no longer fresh, as after any break of the connection.
  const bus = own('bus', connectLazyBus({ ...config, service: 'playback', log, metrics }));
  bus.watch(broadcastHandlers(gates));
  const tokens = openTokens(openKeySet({ fetch: auth.getJwks, log }), config);
  const meters = openReadMeters(metrics);
  const deadline = { answerMs: config.s3TimeoutMs };
  const mediaBucket = openObjects(config, config.mediaBucket, deadline);
  const media = { ...openFiles(mediaBucket, meters), ...openLadders(mediaBucket) };
  const captionsBucket = openObjects(config, config.captionsBucket, deadline);
  const captions = openFiles(captionsBucket, meters);
  const app = playbackApp({ gates, tokens, media, captions, idleMs: config.idleMs, log, metrics });
  const ends = { stopping, lingerMs: 1_000, endWithinMs: closeWithinMs };
  const http = own('http', await serveHttp(app, { port: config.httpPort, ...ends }));
  await runStartupChecks(scope, {
    auth_reached: auth.getJwks,
    catalog_reached: catalog.reach,
    media_reached: mediaBucket.assertExists,
    captions_reached: captionsBucket.assertExists,
    nats_not_refusing: bus.startupCheck,
  });
  log.info({ http_port: http.port }, 'serving viewers');
});
