/** Composition root of ingest: the one place that reads configuration and constructs anything. */
import { readFileSync } from 'node:fs';
import { connectBus } from '@vds/chassis/bus/bus';
import { openDatabase } from '@vds/chassis/database/database';
import { openObjectClient, openObjects } from '@vds/chassis/objects/objects';
import { startRelay } from '@vds/chassis/database/outbox';
import { run } from '@vds/chassis/process/run';
import { startWorkers } from '@vds/chassis/work/work';
import { ingestConfig, type IngestConfig } from './config.ts';
import { defaultRetryPolicy } from './domain/retry.ts';
import { durableHandlers, broadcastHandlers } from './inbound/events.ts';
import { fetchQueue, type FetchWork } from './inbound/fetch-work.ts';
import { startScheduler } from './inbound/scheduler.ts';
import { purgeQueue } from './inbound/purge-work.ts';
import { createDialer, pinOf } from './outbound/dial-source.ts';
import { createFetchPorts, digestOf } from './outbound/fetch-ports.ts';
import { createSourceOpener, type OpenSource } from './outbound/open-source.ts';
import { openPrisma } from './outbound/prisma.ts';
import { createProgress } from './outbound/progress.ts';
import { createHostResolver } from './outbound/resolve-host.ts';
import { createSourceStore } from './outbound/source-store.ts';
import { createBufferPool } from './outbound/store-part.ts';

/** The way out to partners' hosts. */
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
  const prisma = own('prisma', openPrisma(pool));
  const objects = openObjects(config, config.sourcesBucket);
  const store = own('store', createSourceStore(openObjectClient(config), config.sourcesBucket));
  const bus = own('bus', await connectBus({ ...config, service: 'ingest', log, metrics }));
  const relay = own('relay', startRelay({ pool, bus, log, metrics }));

  const { leaseMs, renewMs, pollMs, totalMs, startWithinMs, workTries: maxTries, workDelaysMs: retryDelaysMs } = config;
  const fetched = metrics.counter('vds_ingest_bytes_fetched_total', 'Bytes of source files received');
  const onBytes = (count: number): void => fetched.inc(count);
  const buffers = createBufferPool(config.unsizedBuffers);
  const io = { pool, log, open: openNetwork(config), store, buffers, maxBytes: config.maxSourceBytes, onBytes };
  const bind: FetchWork['bind'] = (fetch, job, signal) => {
    const progress = createProgress({ pool, log, everyMs: config.progressMs, onPercent: job.progress }, fetch);
    return createFetchPorts(io, fetch, progress, signal);
  };
  const retry = { delaysMs: config.sourceDelaysMs ?? defaultRetryPolicy.delaysMs, windowMs: config.retryWindowMs };
  const fetchWork: FetchWork = { pool, log, bind, digestOf, retry, totalMs, wake: relay.wake };
  const queues = {
    fetch: fetchQueue(fetchWork, { slots: config.fetchSlots, pollMs, maxTries }),
    'fetch-overdue': fetchQueue(fetchWork, { slots: config.overdueSlots, pollMs: 6 * pollMs, maxTries }),
    purge: purgeQueue({ pool, prisma, objects, againMs: config.purgeAgainMs }),
  };
  const times = { leaseMs, renewMs, retryDelaysMs };
  const workers = own('workers', startWorkers({ pool, queues, log, metrics, ...times, afterSettle: relay.wake }));
  own('sweep', startScheduler({ pool, log, workers, startWithinMs, everyMs: config.sweepEveryMs }));

  const heard = { pool, prisma, workers, wake: relay.wake };
  await bus.ownStream();
  bus.subscribe(durableHandlers(heard));
  bus.watch(broadcastHandlers(heard));
  health.add('bus', bus.check);
  health.add('sources', async () => {
    if (!(await objects.check())) throw new Error(`there is no bucket ${config.sourcesBucket}`);
  });
});
