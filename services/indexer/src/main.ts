/** Composition root of indexer: one OpenSearch document per video, and the queries over it. */
import { busOptions, connectBus } from '@vds/chassis/bus/bus';
import { deadLetterAdmin } from '@vds/chassis/bus/dead-letters-rpc';
import { runStartupChecks, optional } from '@vds/chassis/process/startup-checks';
import { openEmbedder } from '@vds/chassis/embeddings/open-embedder';
import { openObjects } from '@vds/chassis/objects/objects';
import { serveRpcPorts } from '@vds/chassis/rpc/rpc';
import { run } from '@vds/chassis/process/run';
import { warmUp } from '@vds/chassis/process/warm-up';
import { indexerConfig } from './config.ts';
import { indexerAdminRpc } from './inbound/admin-rpc.ts';
import { durableHandlers, subscribePolicy } from './inbound/events.ts';
import { startScheduler } from './inbound/scheduler.ts';
import { indexerRpc } from './inbound/rpc.ts';
import { openCatalogClient } from './outbound/catalog-client.ts';
import { openMetadataClient } from './outbound/metadata-client.ts';
import { openReindexState } from './outbound/reindex/reindex-state.ts';
import { openDiscovery } from './outbound/discovery.ts';
import { openDocuments } from './outbound/documents.ts';
import { createGarbageCollector } from './outbound/collect-garbage.ts';
import { openIndexStatus, openLag } from './outbound/index-status.ts';
import { openIndexes } from './outbound/indexes.ts';
import { openIndexedList } from './outbound/list-indexed.ts';
import { openSearch } from './outbound/open-search.ts';
import { openReindex } from './outbound/reindex/reindex.ts';
import { openSweep } from './outbound/sweep-index.ts';
import { openTranscripts } from './outbound/transcripts.ts';
import { openWatched } from './outbound/watched.ts';
import { openVideoWriter } from './outbound/write-video.ts';

await run('indexer', indexerConfig, async (scope) => {
  const { config, log, health, metrics, own, signal, forceClose } = scope;
  const search = own('opensearch', openSearch(config, forceClose));
  const embedder = await openEmbedder(scope);
  if (embedder) own('embeddings', embedder);
  const indexes = openIndexes(search, config.indexPrefix, config, embedder);
  const watched = openWatched({ search, videos: indexes.serving, config, log });
  const documents = openDocuments(search, indexes, metrics);
  const catalog = own('catalog', openCatalogClient(config.catalogTarget, config, config.clientTimeoutMs));
  const metadata = own('metadata', openMetadataClient(config.metadataTarget, config, config.clientTimeoutMs));
  const captions = openObjects(config, config.captionsBucket, { callMs: config.clientTimeoutMs });
  const sources = { catalog, metadata, transcripts: openTranscripts(captions, log) };
  const { refresh, refreshNow, purge } = openVideoWriter({ search, indexes, documents, sources, watched });
  const sweep = openSweep({ search, sources, documents, concurrency: config.concurrency, log });
  const store = openReindexState(search, config.indexPrefix, config.indexReplicas);
  const reindexed = { store, indexes, documents, sweep, leaseMs: config.reindexLeaseMs };
  const reindex = own('reindex', openReindex({ ...reindexed, log, signal }));
  const status = openIndexStatus(search, indexes, metrics);

  const bus = own('bus', await connectBus(busOptions(scope, 'indexer')));
  await bus.ownStream();
  const written = { refresh: openLag(metrics, refresh), purge, writeWatched: watched.write };
  const handlers = durableHandlers({ ...written, publish: bus.publish, log });
  bus.subscribe(handlers, { ...subscribePolicy, concurrency: config.concurrency });

  const scheduler = startScheduler({
    ensure: indexes.ensure,
    applyReplicas: () => Promise.all([indexes.applyReplicas(), watched.applyReplicas()]),
    sweep: (until: AbortSignal) => sweep.run(indexes.serving, until),
    isBehind: async () => (await indexes.mapping()).behind,
    startReindex: () => reindex.start({ actor: 'indexer', reason: 'the mapping is older than the program' }),
    resumeReindex: reindex.resume,
    collectGarbage: createGarbageCollector({ search, indexes, reindexState: store, watched, config }),
    ...{ sweepEveryMs: config.sweepEveryMs, reindexOnBoot: config.reindexOnBoot, metrics, log },
  });
  // Once there is an index the replica stays ready: while OpenSearch is unavailable callers get UNAVAILABLE.
  health.add('index', own('scheduler', scheduler).ready);

  const discovery = openDiscovery({ search, alias: indexes.serving, watched, embedder, config, metrics, log });
  health.addDetail('search', discovery.describeMeaning);
  const list = openIndexedList(search, indexes.serving);
  const admin = indexerAdminRpc({ reindex, refresh: refreshNow, read: documents.readServed, status, list });
  const ports = await serveRpcPorts(scope, [indexerRpc(discovery, metrics)], [admin, deadLetterAdmin(bus, log)]);
  await runStartupChecks(scope, {
    catalog_credentials: optional(catalog.reach),
    metadata_credentials: optional(metadata.reach),
  });
  await warmUp(scope, discovery.warmUps);
  log.info(ports, 'serving RPC');
});
