/**
 * Connections to the bus under the names of services that do not run, and the events that those services consume and
 * publish.
 */
import { createHash } from 'node:crypto';
import { metadata } from '@vds/proto';
import { events } from '@vds/proto/events';
import type { MetadataServiceHandlers } from '@vds/proto/generated/vds/metadata/v1/MetadataService.ts';
import { purposes, userName } from '@vds/deploy-tools/installation';
import { openState } from '@vds/testkit/stack/state';
import type { Stack } from '@vds/testkit/stack/start-stack';
import { connectBus, type Bus } from '@vds/chassis/bus/bus';
import { AppError } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { openObjects, type Objects } from '@vds/chassis/objects/objects';
import { serveRpc, service } from '@vds/chassis/rpc/rpc';
import { noTls } from '@vds/testkit/harness/rpc-callers';

export const fakeServices = ['ingest', 'transcode', 'captions', 'metadata'] as const;
export type FakeService = (typeof fakeServices)[number];
export type FakeStage = 'fetch' | 'inspect' | 'encode' | 'captions' | 'metadata';

export const startedEvents = {
  fetch: events.fetchStarted,
  inspect: events.inspectStarted,
  encode: events.encodeStarted,
  captions: events.captionsStarted,
  metadata: events.metadataStarted,
} as const;
export const progressEvents = {
  fetch: events.fetchProgressed,
  encode: events.encodeProgressed,
  captions: events.captionsProgressed,
  metadata: events.metadataProgressed,
} as const;
export const failures = {
  fetch: events.fetchFailed,
  inspect: events.inspectFailed,
  encode: events.encodeFailed,
  captions: events.captionsFailed,
  metadata: events.metadataFailed,
} as const;
export const purged = {
  ingest: events.ingestVideoPurged,
  transcode: events.transcodeVideoPurged,
  captions: events.captionsVideoPurged,
  metadata: events.metadataVideoPurged,
  indexer: events.indexerVideoPurged,
} as const;
export const requests = {
  ingest: { fetch: events.fetchRequested },
  transcode: { inspect: events.inspectRequested, encode: events.encodeRequested },
  captions: { captions: events.captionsRequested },
  metadata: { metadata: events.metadataRequested },
} as const;

/** A connection under the service's own NATS user. */
export async function connectAs(stack: Stack, name: FakeService | 'indexer'): Promise<Bus> {
  const state = openState(stack.dir, stack.name);
  const bus = await connectBus({
    natsReplicas: 1,
    natsStreamBytes: 2 ** 28,
    natsUrl: stack.servers.nats.url,
    natsUser: userName(stack.name, name),
    natsPassword: state.secret(purposes.nats(name)),
    service: name,
    log: createLogger(name, 'error'),
    metrics: createMetrics(name),
  });
  await bus.ownStream();
  return bus;
}

/** Serves metadata's RPC, which returns NOT_FOUND for every video: callers continue without it. */
export function serveNoMetadata(stack: Stack) {
  const nothing = async (): Promise<never> => {
    throw new AppError('NOT_FOUND', 'there is no metadata');
  };
  const digest = createHash('sha256').update(stack.tokens.indexer).digest('hex');
  const port = Number(stack.rpc('metadata').split(':').at(-1));
  return serveRpc({
    port,
    services: [
      service<MetadataServiceHandlers>(
        metadata.MetadataService.service,
        { GetMetadata: ['indexer'] },
        { GetMetadata: nothing },
      ),
    ],
    log: createLogger('metadata', 'error'),
    metrics: createMetrics('metadata'),
    config: { rpcPort: port, rpcCallers: [`indexer=${digest}`], ...noTls },
  });
}

/** The bucket of captions, as captions itself accesses it. */
export function captionsBucket(stack: Stack): Objects {
  const { endpoint, region } = stack.servers.s3;
  const state = openState(stack.dir, stack.name);
  const config = {
    s3Endpoint: endpoint,
    s3Region: region,
    s3AccessKey: userName(stack.name, 'captions'),
    s3SecretKey: state.secret(purposes.s3('captions')),
  };
  return openObjects(config, stack.buckets.captions);
}
