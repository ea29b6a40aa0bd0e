/**
 * One real service in its own processes, on a fresh database, buckets and nats-server. The test replaces all other
 * services: it publishes what the service consumes, and records what it publishes.
 */
import { events, type EventType } from '@vds/proto/events';
import { connectBus, on, type Bus } from '@vds/chassis/bus/bus';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { openTestPool, serviceFolder, testDatabase } from './database.ts';
import { testNats } from './nats.ts';
import { testBucket, type TestBucket } from './objects.ts';
import { overlay } from '../environments.ts';
import { freePort } from '../servers/free-port.ts';
import { noAuth, rpcCallers } from './rpc-callers.ts';
import { confineSetting } from './sandbox.ts';
import { startService, type ServiceProcess } from './service-process.ts';

/** An event that the service published, in order of arrival. */
export type PublishedEvent = {
  readonly subject: string;
  readonly id: string;
  readonly payload: Record<string, unknown>;
};
export type Ports = Readonly<Record<'admin' | 'rpc' | 'adminRpc', number>>;
export type Worker = ServiceProcess & { readonly ports: Ports };

export type ServiceHarness = Awaited<ReturnType<typeof openServiceHarness>>;
export type ServiceHarnessOptions = {
  /** Name of the service; the test records what it publishes. */
  readonly service: string;
  /** Its folder and its events, where it lies in another tree than the test kit. */
  readonly serviceDir?: URL;
  readonly ownEvents?: readonly EventType<never, object>[];
  /** Other services than catalog in whose names the test publishes. */
  readonly others?: readonly string[];
  /** Variables that name a bucket; each gets its own. */
  readonly buckets?: readonly string[];
  /** The permitted callers of its RPC, each with the token `tokenOf(name)`. */
  readonly callers?: readonly string[];
  /** Variables of every process. */
  readonly settings?: Readonly<Record<string, string>>;
};

export async function openServiceHarness(options: ServiceHarnessOptions) {
  const { service, serviceDir = serviceFolder(service), ownEvents = eventsOf(service) } = options;
  const database = await testDatabase(serviceDir);
  const nats = await testNats();
  const buckets = new Map<string, TestBucket>();
  for (const variable of options.buckets ?? []) buckets.set(variable, await testBucket());
  const pool = openTestPool(database.poolConfig);
  const published: PublishedEvent[] = [];
  const others = new Map<string, Bus>();
  for (const name of options.others ?? []) others.set(name, await openBus(nats.url, name));
  const bus = await recordEvents(nats.url, ownEvents, published);
  const workers: Worker[] = [];
  const { callers = [] } = options;
  const common = {
    LOG_LEVEL: 'info',
    ...noAuth,
    ...confineSetting(),
    ...storesOf(database, nats.url, buckets),
    ...(callers.length > 0 && { RPC_CALLERS: rpcCallers(callers) }),
  };
  return {
    published,
    /** The events about a video of one kind, such as `inspect.completed`. */
    of: (videoId: string, what: string): PublishedEvent[] =>
      published.filter(
        ({ subject, payload }) =>
          subject.slice(subject.indexOf('.') + 1) === `${what}.v1` && payload['videoId'] === videoId,
      ),
    pool,
    bus,
    /** The bus of one of the other services. */
    busOf: (name: string): Bus => found(others, name),
    /** The harness's own server: a test may kill, restart and wipe it. */
    nats,
    bucket: (variable: string): TestBucket => found(buckets, variable),
    startWorker: async (more: Readonly<Record<string, string>> = {}): Promise<Worker> => {
      const ports = { admin: await freePort(), rpc: await freePort(), adminRpc: await freePort() };
      const endpoints = { ADMIN_PORT: `${ports.admin}`, RPC_PORT: `${ports.rpc}`, ADMIN_RPC_PORT: `${ports.adminRpc}` };
      const env = overlay(common, endpoints, options.settings, more);
      const worker = { ...(await startService(serviceDir, env)), ports };
      workers.push(worker);
      return worker;
    },
    close: async (): Promise<void> => {
      await Promise.all(workers.map(({ stop }) => stop()));
      await Promise.all([bus, ...others.values()].map((one) => one.close()));
      await pool.end();
      await nats.remove();
      await database.drop();
      await Promise.all([...buckets.values()].map((bucket) => bucket.drop()));
    },
  };
}

function found<T>(all: ReadonlyMap<string, T>, name: string): T {
  const one = all.get(name);
  if (!one) throw new Error(`the harness was opened without ${name}`);
  return one;
}

function eventsOf(service: string): readonly EventType<never, object>[] {
  return Object.values(events).filter(({ owner }) => owner === service) as EventType<never, object>[];
}

async function recordEvents(
  natsUrl: string,
  ownEvents: readonly EventType<never, object>[],
  published: PublishedEvent[],
) {
  const bus = await openBus(natsUrl, 'catalog');
  const record = (event: EventType<never, object>) =>
    on(event, async (payload, { id }) => void published.push({ subject: event.subject, id, payload: { ...payload } }));
  bus.subscribe(ownEvents.map(record), { concurrency: 1 });
  return bus;
}

/** A service with its stream, as the test stands in for it. */
export async function openBus(natsUrl: string, service: string, more: { streamCheckMs?: number } = {}): Promise<Bus> {
  const nobody = { natsUser: undefined, natsPassword: undefined };
  const bus = await connectBus({
    ...nobody,
    natsUrl,
    natsReplicas: 1,
    natsStreamBytes: 2 ** 30,
    service,
    log: createLogger('test', 'error'),
    metrics: createMetrics('test'),
    ...more,
  });
  await bus.ownStream();
  return bus;
}

/** The variables with which a service finds its stores. */
function storesOf(
  database: Awaited<ReturnType<typeof testDatabase>>,
  natsUrl: string,
  buckets: ReadonlyMap<string, TestBucket>,
): Record<string, string> {
  const env = { DATABASE_URL: database.url, DATABASE_PASSWORD: database.password, NATS_URL: natsUrl };
  const [any] = buckets.values();
  if (!any) return env;
  const s3 = { S3_ENDPOINT: any.endpoint, S3_REGION: any.region };
  const keys = { S3_ACCESS_KEY: any.accessKey, S3_SECRET_KEY: any.secretKey };
  const names = Object.fromEntries([...buckets].map(([variable, { bucket }]) => [variable, bucket]));
  return { ...env, ...s3, ...keys, ...names };
}
