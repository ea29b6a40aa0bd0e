/**
 * Connections to the bus under the names of services that do not run, and the events those services consume and
 * publish.
 */
import { createHash } from 'node:crypto';
import { metadata } from '@vds/proto';
import { purgeConfirmations, stageEvents, type events, type EventType } from '@vds/proto/events';
import { stageNames, stageOwners, stages, type StageName } from '@vds/proto/stages';
import type { MetadataServiceHandlers } from '@vds/proto/generated/vds/metadata/v1/MetadataService.ts';
import { purposes, userName } from '@vds/deploy-tools/installation';
import type { ServiceName } from '@vds/deploy-tools/services';
import { openState } from '@vds/testkit/stack/state';
import type { Stack } from '@vds/testkit/stack/start-stack';
import { connectBus, type Bus } from '@vds/chassis/bus/bus';
import { AppError } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { openObjects, type Objects } from '@vds/chassis/objects/objects';
import { serveRpc, service } from '@vds/chassis/rpc/rpc';
import { noTls } from '@vds/testkit/harness/rpc-callers';

/** Every service that runs a stage. */
export const fakeServices = stageOwners as readonly ServiceName[];

/** The request of each stage that a service runs. */
export function requestsOf(service: ServiceName): [StageName, EventType<never, unknown>][] {
  return stageNames
    .filter((stage) => stages[stage].owner === service)
    .map((stage) => [stage, stageEvents[stage].requested]);
}

/** The event by which a service confirms a purge. */
export function purgedEventOf(service: ServiceName): typeof events.indexerVideoPurged {
  const found = purgeConfirmations.find(({ owner }) => owner === service);
  if (!found) throw new Error(`${service} has no event that confirms a purge`);
  return found;
}

/** A connection under the service's own NATS user. */
export async function connectAs(stack: Stack, name: ServiceName): Promise<Bus> {
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
    config: { rpcCallers: [`indexer=${digest}`], ...noTls },
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
