import type { ServerResponse } from 'node:http';
import { bindStage } from '@vds/chassis/stage/run-stages';
import { events, type stageEvents } from '@vds/proto/events';
import { describeLocks } from '@vds/testkit/contract/locks';
import { describeWorker } from '@vds/testkit/contract/worker';
import { fetchStage, type Deps } from '../src/inbound/fetch-stage.ts';
import { openFetch } from '../src/outbound/fetch-rows.ts';
import { purgeOf } from '../src/outbound/purge.ts';
import { HOST, newId, startHarness } from './servers/harness.ts';
import { serveBytes } from './servers/source-server.ts';

const BYTES = Buffer.alloc(1_000, 'v');

describeWorker({ owner: 'ingest', stage: 'fetch' }, async () => {
  const { service, catalog, server, keys, source, putObject, stop } = await startHarness();
  const waiting = new Set<ServerResponse>();
  let isHeld = false;
  server.on('/video', (request, response) => {
    if (!isHeld || waiting.size > 0) return serveBytes(BYTES)(request, response);
    response.writeHead(200, { 'content-length': BYTES.length, etag: '"v1"' }).write(BYTES.subarray(0, 1));
    waiting.add(response.once('close', () => waiting.delete(response)));
  });
  return {
    harness: { ...service, close: stop },
    storage: service.bucket('SOURCES_BUCKET').endpoint,
    prepare: async () => ({ videoId: newId() }),
    request: ({ videoId }, attempt = 1) => {
      catalog.addresses.set(videoId, `https://${HOST}/video`);
      const source = { sourceHost: HOST, acceptedAtMs: Date.now() };
      return service.bus.publish(events.fetchRequested, { videoId, attempt, publisherId: 'p', ...source }, newId());
    },
    settings: { TIME_SCALE: 'idle=5m' },
    hold: () => {
      isHeld = true;
      return {
        count: () => waiting.size,
        release: () => {
          isHeld = false;
          for (const response of waiting) response.end(BYTES.subarray(1));
        },
      };
    },
    /** The bytes that transcode reads. */
    result: async (videoId) => {
      const sourceKey = service.of(videoId, 'fetch.completed').at(-1)?.payload['sourceKey'];
      return (await keys(videoId)).includes(String(sourceKey)) ? source(sourceKey) : undefined;
    },
    keys,
    putObject,
    tables: ['fetches'],
  };
});

describeLocks({
  owner: 'ingest',
  stage: bindStage(fetchStage, {} as Deps),
  queue: 'fetch',
  purge: { event: events.ingestVideoPurged, tables: purgeOf({} as never).tables },
  request: (runtime, videoId) =>
    runtime.deliver(events.fetchRequested, {
      ...{ videoId, attempt: 1, publisherId: 'p', sourceHost: 'a', acceptedAtMs: Date.now() },
    }),
  open: openFetch,
  end: (runtime, client, { videoId }) => {
    const owner = { videoId, attempt: 1, revision: 0, publisherId: 'p' };
    const stage = runtime.handle<{ kind: 'source' }, typeof stageEvents.fetch>(fetchStage, owner);
    return stage.complete(client, { sourceKey: 'k', sourceBytes: 1, digest: 'd' });
  },
});
