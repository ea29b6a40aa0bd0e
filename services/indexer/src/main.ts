/** Composition root of indexer: one OpenSearch document a video, and three queries over it. */
import { events } from '@vds/proto/events';
import { connectBus } from '@vds/chassis/bus/bus';
import { runStartupChecks, optional } from '@vds/chassis/process/startup-checks';
import { openObjects } from '@vds/chassis/objects/objects';
import { serveRpc } from '@vds/chassis/rpc/rpc';
import { run } from '@vds/chassis/process/run';
import { indexerConfig } from './config.ts';
import { indexerAdminRpc } from './inbound/admin-rpc.ts';
import { durableHandlers, patience } from './inbound/events.ts';
import { startScheduler } from './inbound/scheduler.ts';
import { indexerRpc } from './inbound/rpc.ts';
import { openReindexState } from './outbound/reindex-state.ts';
import { openDiscovery } from './outbound/discovery.ts';
import { openDocuments } from './outbound/documents.ts';
import { createGarbageCollector } from './outbound/collect-garbage.ts';
import { openIndexStatus } from './outbound/index-status.ts';
import { openIndexes } from './outbound/indexes.ts';
import { openLag } from './outbound/lag.ts';
import { openSearch } from './outbound/open-search.ts';
import { openPurge } from './outbound/purge.ts';
import { openRefresh } from './outbound/refresh.ts';
import { openReindex } from './outbound/reindex.ts';
import { openSweep } from './outbound/sweep-index.ts';
import { openCatalog, openMetadata, openSpoken } from './outbound/service-clients.ts';

await run('indexer', indexerConfig, async (scope) => {
  const { config, log, health, metrics, own, signal } = scope;
  const search = own('opensearch', openSearch(config));
  const indexes = openIndexes(search, config.indexPrefix, config.indexShards);
  const documents = openDocuments(search, indexes, metrics);
  const catalog = own('catalog', openCatalog(config.catalogTarget, config, config.peerTimeoutMs));
  const metadata = own('metadata', openMetadata(config.metadataTarget, config, config.peerTimeoutMs));
  const captions = openObjects(config, config.captionsBucket, { callMs: config.peerTimeoutMs });
  const truth = { catalog, metadata, spoken: openSpoken(captions, log) };
  const refresh = openRefresh(truth, documents);
  const sweep = openSweep({ search, truth, documents, concurrency: config.concurrency, log });
  const board = openReindexState(search, config.indexPrefix);
  const reindex = own('reindex', openReindex({ board, indexes, documents, sweep, log, signal }));
  const status = openIndexStatus(search, indexes, metrics);

  const bus = own('bus', await connectBus({ ...config, service: 'indexer', log, metrics }));
  await bus.ownStream();
  const lag = openLag(metrics);
  const ears = durableHandlers({
    refresh: (videoId, version) => lag.around(videoId, () => refresh(videoId, version)),
    purge: openPurge({ search, indexes, documents, catalog }),
    sayPurged: (purged, cause) =>
      bus.publish(events.indexerVideoPurged, purged, `${events.indexerVideoPurged.subject}/${cause}`),
    log,
  });
  bus.subscribe(ears, { ...patience, concurrency: config.concurrency });

  const rounds = {
    ensure: indexes.ensure,
    sweep: (until: AbortSignal) => sweep.run(indexes.serving, until),
    isBehind: async () => (await indexes.mapping()).behind,
    begin: () => reindex.start('indexer', 'the mapping is older than the program'),
    resume: reindex.resume,
    tidy: createGarbageCollector({ search, indexes, board, ...config }),
  };
  const clock = own('rounds', startScheduler(rounds, { ...config, metrics, log }));
  // Once there is an index this replica stays in: while OpenSearch is away callers are told so (UNAVAILABLE).
  health.add('index', clock.ready);

  const discovery = openDiscovery(search, indexes.serving, config, log);
  const read = (videoId: string) => documents.read(indexes.serving, videoId);
  const again = (videoId: string) => refresh(videoId, 0, { evenSame: true, refresh: true });
  const forStaff = indexerAdminRpc({ reindex, refresh: again, read, status });
  const served = { log, metrics, config };
  const forApps = indexerRpc(discovery, metrics);
  const rpc = own('rpc', await serveRpc({ ...served, port: config.rpcPort, services: [forApps] }));
  const admin = own('admin rpc', await serveRpc({ ...served, port: config.adminRpcPort, services: [forStaff] }));
  await runStartupChecks(scope, {
    catalog_not_refusing: optional(catalog.reach),
    metadata_not_refusing: optional(metadata.reach),
  });
  log.info({ rpc_port: rpc.port, admin_rpc_port: admin.port }, 'serving RPC');
});
