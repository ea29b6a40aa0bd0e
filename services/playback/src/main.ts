/** Composition root of playback: signed HLS for viewers, out of the buckets of media and captions. */
import { connectBus } from '@vds/shared/bus';
import { serveHttp } from '@vds/shared/http';
import { openObjects } from '@vds/shared/objects';
import { run } from '@vds/shared/run';
import { playbackConfig } from './config.ts';
import { playbackEars } from './inbound/events.ts';
import { playbackApp } from './inbound/http.ts';
import { openGates } from './outbound/gates.ts';
import { openKeySet } from './outbound/key-set.ts';
import { openFiles, openLadders, openReadMeters } from './outbound/media.ts';
import { openAuth, openCatalog } from './outbound/peers.ts';
import { openTokens } from './outbound/tokens.ts';

await run('playback', playbackConfig, async ({ config, log, metrics, own, signal: stopping, closeWithinMs }) => {
  const auth = own('auth', openAuth(config.authTarget, config, config.peerTimeoutMs));
  const catalog = own('catalog', openCatalog(config.catalogTarget, config, config.peerTimeoutMs, log));
  const bus = own('bus', await connectBus({ ...config, service: 'playback', log, metrics }));
  const { gateFreshMs: freshMs, gateStaleMs: staleMs } = config;
  const gates = openGates({ resolve: catalog.resolve, freshMs, staleMs, log, metrics });
  bus.watch(playbackEars(gates));
  const tokens = openTokens(openKeySet({ fetch: auth.getJwks, log }), config);
  const meters = openReadMeters(metrics);
  const deadline = { answerMs: config.s3TimeoutMs };
  const mediaBucket = openObjects(config, config.mediaBucket, deadline);
  const media = { ...openFiles(mediaBucket, meters), ...openLadders(mediaBucket) };
  const captions = openFiles(openObjects(config, config.captionsBucket, deadline), meters);
  const app = playbackApp({ gates, tokens, media, captions, idleMs: config.idleMs, log, metrics });
  const ends = { stopping, lingerMs: 1_000, endWithinMs: closeWithinMs };
  const http = own('http', await serveHttp(app, { port: config.httpPort, ...ends }));
  log.info({ http_port: http.port }, 'serving viewers');
});
