/** Composition root of ingest: the one place that reads configuration and constructs anything. */
import { readFileSync } from 'node:fs';
import { connectBus } from '@vds/chassis/bus/bus';
import { openDatabase } from '@vds/chassis/database/database';
import { openObjectClient, openObjects } from '@vds/chassis/objects/objects';
import { startRelay } from '@vds/chassis/database/outbox';
import { run } from '@vds/chassis/process/run';
import { bindStage, startStages } from '@vds/chassis/stage/run-stages';
import { ingestConfig, type IngestConfig } from './config.ts';
import { defaultRetryPolicy } from './domain/retry.ts';
import { fetch } from './inbound/fetch.ts';
import { startScheduler } from './inbound/scheduler.ts';
import { createDialer, pinOf } from './outbound/dial-source.ts';
import { createIngestMetrics } from './outbound/metrics.ts';
import { createSourceOpener, type OpenSource } from './outbound/open-source.ts';
import { purgeOf } from './outbound/purge.ts';
import { createHostResolver } from './outbound/resolve-host.ts';
import { createSourceStore } from './outbound/source-store.ts';
import { createBufferPool } from './outbound/store-part.ts';

/** The client for partners' hosts. */
function openNetwork(config: IngestConfig): OpenSource {
  const pinned = config.pinnedHosts;
  const dial = createDialer({
    ...config,
    resolve: createHostResolver(config.dnsServers, config.dnsMs),
    blocked: config.blockedNetworks,
    pinned,
    extraCa: config.extraCaFile === undefined ? undefined : readFileSync(config.extraCaFile, 'utf8'),
  });
  const rate = { bytesPerSecond: config.minBytesPerSecond, windowMs: config.rateWindowMs };
  return createSourceOpener({ ...config, dial, rate, isPinned: (url) => pinOf(pinned, url) !== undefined });
}

await run('ingest', ingestConfig, async (scope) => {
  const { config, log, health, metrics, own } = scope;
  const pool = await openDatabase(scope, 'ingest', import.meta.url);
  const objects = openObjects(config, config.sourcesBucket);
  const store = own('store', createSourceStore(openObjectClient(config), config.sourcesBucket));
  const bus = own('bus', await connectBus({ ...config, service: 'ingest', log, metrics }));
  const relay = own('relay', startRelay({ pool, bus, log, metrics }));

  const { pollMs, workTries: maxTries } = config;
  const deps = {
    ...{ pool, log, store, open: openNetwork(config), buffers: createBufferPool(config.unsizedBuffers) },
    ...{ maxBytes: config.maxSourceBytes, progressEveryMs: config.progressMs, totalMs: config.totalMs },
    ...createIngestMetrics(metrics),
    retry: { delaysMs: config.sourceDelaysMs ?? defaultRetryPolicy.delaysMs, windowMs: config.retryWindowMs },
  };
  await bus.ownStream();
  const { notify } = own(
    'stages',
    startStages({
      ...{ pool, log, metrics, bus, relay, progressEveryMs: config.progressMs },
      ...{ leaseMs: config.leaseMs, renewMs: config.renewMs, retryDelaysMs: config.workDelaysMs },
      stages: [bindStage(fetch, deps)],
      queues: {
        fetch: { slots: config.fetchSlots, pollMs, maxTries },
        'fetch-overdue': { slots: config.overdueSlots, pollMs: 6 * pollMs, maxTries },
      },
      purge: { ...purgeOf(objects), slots: 2, againMs: config.purgeAgainMs },
    }),
  );
  const { startWithinMs, sweepEveryMs: everyMs } = config;
  own('scheduler', startScheduler({ pool, log, notify, startWithinMs, everyMs }));
  health.add('bus', bus.check);
  health.add('sources', objects.check);
});
