/** Purges of a service called `scales` in its own bucket, with the objects of two videos. */
import { events } from '@vds/proto/events';
import type { KeysInUse } from '@vds/proto/generated/vds/catalog/v1/KeysInUse.ts';
import type { VideoPurged } from '@vds/proto/generated/vds/common/v1/VideoPurged.ts';
import type { EventHandler } from '../../src/bus/bus.ts';
import { openObjects, type Objects } from '../../src/objects/objects.ts';
import type { PurgeDefinition, PurgeRequest } from '../../src/stage/purge.ts';
import { bindStage, startStages, type Stages, type StagesOptions } from '../../src/stage/run-stages.ts';
import { testBucket } from '@vds/testkit/harness/objects';
import { until } from '@vds/testkit/until';
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.ts';
import { quiet } from '../fixtures.ts';
import { jsonEvent, stageKit, weighStage } from './stage-kit.ts';

/** Catalog's message, without the owners it is for. */
export type Requested = Pick<PurgeRequest, 'videoId' | 'scope' | 'keepAttempt'> & {
  readonly requestId?: string;
  readonly inUse?: KeysInUse;
};
export const all: Requested = { videoId: 'a', scope: 'PURGE_SCOPE_VIDEO', keepAttempt: 0 };

/** Registers mocha's hooks; call it inside `describe`. */
export function purgeKit() {
  const kit = stageKit();
  const { pool, facts, jobs } = kit;
  let bucket: Awaited<ReturnType<typeof testBucket>>;
  let objects: Objects;
  const running: Stages[] = [];

  before(async () => {
    bucket = await testBucket();
    const keys = { s3AccessKey: bucket.accessKey, s3SecretKey: bucket.secretKey };
    objects = openObjects({ s3Endpoint: bucket.endpoint, s3Region: bucket.region, ...keys }, bucket.bucket);
  });
  after(() => bucket.drop());
  const put = (...keys: readonly string[]) =>
    Promise.all(keys.map((key) => objects.putBytes(key, 'x', { contentType: 'a/b' })));
  beforeEach(() => put('videos/a/1/x', 'videos/a/2/x', 'videos/b/1/x'));
  const stop = async (): Promise<void> => {
    await Promise.all(running.splice(0).map((stages) => stages.close()));
  };
  afterEach(async () => {
    await stop();
    await objects.removePrefix('videos/');
  });
  const isSwept = (kind: string) => async (): Promise<boolean> =>
    (await jobs()).some((job) => job.startsWith(`${kind}-final-sweep-`) && job.endsWith(' done'));
  return {
    ...kit,
    objects: () => objects,
    put,
    start: starter(pool, () => objects, running),
    stop,
    purged: (times = 1) =>
      until(async () => (await facts()).filter((fact) => fact === 'purged').length === times, { what: 'the answer' }),
    /** The final sweep of a kind of purge, such as `PURGE_SCOPE_VIDEO-0`, has run. */
    swept: (kind: string) => until(isSwept(kind), { what: 'the final sweep' }),
    /** What is left of all videos, below `videos/`. */
    left: async (): Promise<string[]> =>
      (await objects.list('videos/')).map((key) => key.slice('videos/'.length)).toSorted(),
  };
}

type Options = Partial<Pick<StagesOptions, 'stages' | 'queues' | 'retryDelaysMs'>> & {
  readonly metrics?: Metrics;
  readonly leaseMs?: number;
};

/**
 * Returns a function that starts the runtime (`slots` 0 leaves purges undone) and returns one that requests a purge.
 */
function starter(pool: ReturnType<typeof stageKit>['pool'], objects: () => Objects, running: Stages[]) {
  return (
    slots: number,
    more: Partial<PurgeDefinition> = {},
    purgeAgainMs = 3_600_000,
    { metrics = createMetrics('test'), leaseMs = 60_000, ...options }: Options = {},
  ) => {
    const handlers: EventHandler[] = [];
    const keep = (list: readonly EventHandler[]): void => void handlers.push(...list);
    const definition = { event: jsonEvent<VideoPurged>('scales.video.purged.v1'), tables: [], objects: objects() };
    const worker = {
      pool: pool(),
      log: quiet,
      metrics,
      bus: { subscribe: keep, watch: keep },
      relay: { notify: () => {} },
    };
    const config = { leaseMs, renewMs: leaseMs / 3, purgeSlots: slots, purgeAgainMs };
    const stages = startStages(config, worker, {
      stages: [bindStage(weighStage(), null)],
      queues: { weigh: { slots: 0 } },
      purge: { ...definition, ...more },
      pollMs: 20,
      retryDelaysMs: [20],
      ...options,
    });
    running.push(stages);
    const handler = handlers.find(({ subject }) => subject === events.purgeRequested.subject);
    return (request: Requested, owners = ['scales']) =>
      handler?.handle(events.purgeRequested.encode({ ...request, owners }), { id: 'test', delivery: 1 });
  };
}
