/** Composition root of transcode. */
import { connectBus } from '@vds/chassis/bus/bus';
import { chooseSandbox } from '@vds/chassis/sandbox/sandbox';
import { openDatabase } from '@vds/chassis/database/database';
import { openObjects } from '@vds/chassis/objects/objects';
import { startRelay } from '@vds/chassis/database/outbox';
import { serveRpc } from '@vds/chassis/rpc/rpc';
import { run } from '@vds/chassis/process/run';
import { sweepScratch } from '@vds/chassis/sandbox/scratch';
import { transcodeConfig } from './config.ts';
import { broadcastHandlers, durableHandlers } from './inbound/events.ts';
import { purgesOf } from './inbound/purges.ts';
import { startQueues } from './inbound/queues.ts';
import { transcodeService } from './inbound/rpc.ts';
import { findTools } from './outbound/media-tools.ts';
import { openPrisma } from './outbound/prisma.ts';
import { findLadder } from './outbound/titles.ts';

await run('transcode', transcodeConfig, async (scope) => {
  const { config, log, health, metrics, own } = scope;
  const sandbox = await chooseSandbox();
  metrics
    .gauge('vds_sandbox_level', 'How children are shut in: 2 namespaces, 1 limits alone', [])
    .set(sandbox === 'namespaces' ? 2 : 1);
  const tools = await findTools({ ...config, memoryBytes: config.childMemoryBytes, sandbox, log });
  await sweepScratch(config.scratchDir, 'transcode');

  const pool = await openDatabase(scope, 'transcode', import.meta.url);
  const prisma = own('prisma', openPrisma(pool));
  const sources = openObjects(config, config.sourcesBucket);
  const media = openObjects(config, config.mediaBucket);
  health.add('objects', media.check);
  const bus = own('bus', await connectBus({ ...config, service: 'transcode', log, metrics }));
  await bus.ownStream();
  const relay = own('outbox', startRelay({ pool, bus, log, metrics }));

  const wake = (): void => {
    relay.wake();
    workers.notify();
  };
  const deps = {
    pool,
    sources,
    media,
    tools,
    log,
    wake,
    scratchDir: config.scratchDir,
    limits: config,
    pieceRules: { wholeBelowSeconds: config.wholeBelowMs / 1_000, pieceSeconds: config.pieceMs / 1_000 },
    encodedAsOne: metrics.counter(
      'vds_transcode_encoded_as_one_total',
      'Titles whose pieces could not be joined: one worker encodes them again',
    ),
    effort: { preset: config.preset, threads: config.encodeThreads },
  };
  const abort = (videoId: string): void => workers.abortGroup(videoId);
  const purges = purgesOf(media, { pool, log, wake, abort, againMs: config.purgeAgainMs });
  const workers = own('workers', startQueues(deps, config, purges.queue(config.purgeSlots), metrics));
  const events = { pool, wake, abort, purges };
  bus.subscribe(durableHandlers(events));
  bus.watch(broadcastHandlers(events));
  const rpc = own(
    'rpc',
    await serveRpc({
      port: config.rpcPort,
      services: [transcodeService((id) => findLadder(prisma, id))],
      log,
      metrics,
      config,
    }),
  );
  log.info({ rpc_port: rpc.port, sandbox }, 'serving RPC');
});
