/** Composition root of playback: signed HLS for viewers, from the buckets of media and captions. */
import { busOptions } from '@vds/chassis/bus/bus';
import { connectLazyBus } from '@vds/chassis/bus/lazy-bus';
import { requestOwnPort, serveHttp } from '@vds/chassis/http/http';
import { openForwarding } from '@vds/chassis/objects/forwarding';
import { openObjects } from '@vds/chassis/objects/objects';
import { run } from '@vds/chassis/process/run';
import { runStartupChecks } from '@vds/chassis/process/startup-checks';
import { warmUp } from '@vds/chassis/process/warm-up';
import { openKeySet } from '@vds/chassis/rpc/key-set';
import { events } from '@vds/proto/events';
import { playbackConfig } from './config.ts';
import { createViewCollector } from './inbound/collect-views.ts';
import { broadcastHandlers } from './inbound/events.ts';
import { playbackApp } from './inbound/http.ts';
import { openAuthClient } from './outbound/auth-client.ts';
import { openCatalogClient } from './outbound/catalog-client.ts';
import { openCountries } from './outbound/country.ts';
import { openPreviewClient } from './outbound/preview-client.ts';
import { openExcerpts } from './outbound/excerpts.ts';
import { openGates } from './outbound/gates.ts';
import { createReadMetrics, openFiles, openLadders } from './outbound/media.ts';
import { openTokens } from './outbound/tokens.ts';
import { openViewReports } from './outbound/view-reports.ts';

/** As auth issues them; the skew is by auth's clock. */
const TOKEN_POLICY = { issuer: 'vds-auth', audience: 'vds-playback', skewMs: 30_000 };
/** A viewer who reads nothing, or takes fewer bytes a second, is disconnected; the lowest rungs are 20 times faster. */
const VIEWER_PACE = { idleMs: 60_000, minBytesPerSecond: 1_024 };
/** Connections of viewers; beyond it they are closed at once. */
const MAX_CONNECTIONS = 10_000;
/** How long reports of views stay in their stream. */
const VIEWS_MAX_AGE_MS = 3 * 86_400_000;

await run('playback', playbackConfig, async (scope) => {
  const { config, log, metrics, own, signal: stopping, closeWithinMs } = scope;
  const { gateFreshMs: freshMs, gateStaleMs: staleMs, peerTimeoutMs: timeoutMs } = config;
  const auth = own('auth', openAuthClient(config.authTarget, config, timeoutMs));
  const catalog = own('catalog', openCatalogClient(config.catalogTarget, { config, timeoutMs, log }));
  const previews = own('transcode', openPreviewClient(config.transcodeTarget, config, timeoutMs));
  const gates = openGates({ resolve: catalog.resolve, freshMs, staleMs, log, metrics });
  // Not awaited: without NATS a change is seen when the cached gate expires.
  const bus = own('bus', connectLazyBus(busOptions(scope, 'playback')));
  bus.watch(broadcastHandlers(gates));
  bus.ownStream({ maxBytes: config.viewsMaxBytes, maxAgeMs: VIEWS_MAX_AGE_MS });
  const { countryHeader, countryDatabase, trustedHops } = config;
  const reports = openViewReports({
    publish: (report) => bus.publish(events.viewReported, report, report.eventId),
    log,
    metrics,
  });
  const countryOf = await openCountries({ header: countryHeader, trusted: trustedHops, databaseFile: countryDatabase });
  const views = createViewCollector({ reports, countryOf });
  const tokens = openTokens(openKeySet({ load: auth.getJwks, log }), TOKEN_POLICY);
  const readMetrics = createReadMetrics(metrics);
  const forward = openForwarding(config);
  const mediaBucket = openObjects(config, config.mediaBucket);
  const media = { ...openFiles(mediaBucket, forward, readMetrics), ...openLadders(mediaBucket) };
  const captionsBucket = openObjects(config, config.captionsBucket);
  const captions = openFiles(captionsBucket, forward, readMetrics);
  const excerpts = openExcerpts({ media: mediaBucket, captions: captionsBucket });
  const files = { media, captions, excerpts };
  const app = playbackApp({ ...files, gates, previews, tokens, views, pace: VIEWER_PACE, log, metrics });
  const stop = { stopping, lingerMs: 1_000, endWithinMs: closeWithinMs };
  const http = own('http', await serveHttp(app, { port: config.httpPort, maxConnections: MAX_CONNECTIONS, ...stop }));
  await runStartupChecks(scope, {
    auth_reached: auth.getJwks,
    catalog_reached: catalog.reach,
    media_reached: mediaBucket.check,
    captions_reached: captionsBucket.check,
    nats_credentials: bus.startupCheck,
  });
  await warmUp(scope, {
    token: () => requestOwnPort(http.port, '/warm-up.m3u8?token=warm-up'),
    gate: () => requestOwnPort(http.port, `/t/${'0'.repeat(27)}.jpg`),
    catalog: catalog.reach,
  });
  log.info({ http_port: http.port }, 'serving viewers');
});
