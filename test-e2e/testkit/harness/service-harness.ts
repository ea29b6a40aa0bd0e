/**
 * One real service in processes of its own, on a fresh database, buckets and nats-server, with the test in the place of
 * all others: it says what the service hears, and hears what the service says.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { EventType } from '@vds/proto/events';
import pg from 'pg';
import { connectBus, on } from '@vds/chassis/bus/bus';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { testDatabase } from './database.ts';
import { testNats } from './nats.ts';
import { testBucket, type TestBucket } from './objects.ts';
import { until } from '../until.ts';

/** What the service said, in the order in which it was heard. */
export type Said = { readonly subject: string; readonly id: string; readonly payload: Record<string, unknown> };
export type Worker = {
  readonly process: ChildProcess;
  readonly output: () => string;
  /** Ends the process orderly and waits for it. */
  readonly stop: () => Promise<void>;
};

export type ServiceHarnessOptions = {
  /** Folder of the service. */
  readonly room: URL;
  /** What the service says. */
  readonly facts: readonly EventType<never, object>[];
  /** Who hears it and says what the service hears: the name of another service. */
  readonly as: string;
  /** Variables that name a bucket; each gets one of its own. */
  readonly buckets?: readonly string[];
  /** Variables of every process. */
  readonly settings?: Readonly<Record<string, string>>;
};

export async function openServiceHarness(options: ServiceHarnessOptions) {
  const folder = fileURLToPath(options.room);
  const database = await testDatabase(folder);
  const nats = await testNats();
  const buckets = new Map<string, TestBucket>();
  for (const variable of options.buckets ?? []) buckets.set(variable, await testBucket());
  const pool = new pg.Pool(database.poolConfig);
  const said: Said[] = [];
  const bus = await listen(nats.url, options, said);
  const workers: Worker[] = [];
  // Nothing of ours but PATH.
  const usual = { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'info', ...storesOf(database, nats.url, buckets) };
  return {
    said,
    pool,
    bus,
    /** The stack's own server: a test may kill, restart and wipe it. */
    nats,
    bucket: (variable: string): TestBucket => {
      const found = buckets.get(variable);
      if (!found) throw new Error(`there is no bucket ${variable}`);
      return found;
    },
    startWorker: async (more: Readonly<Record<string, string>> = {}): Promise<Worker> => {
      const worker = await startProcess(folder, { ...usual, ...options.settings, ...more });
      workers.push(worker);
      return worker;
    },
    close: async (): Promise<void> => {
      await Promise.all(workers.map(({ stop }) => stop()));
      await bus.close();
      await pool.end();
      await nats.remove();
      await database.drop();
      await Promise.all([...buckets.values()].map((bucket) => bucket.drop()));
    },
  };
}

async function listen(natsUrl: string, { facts, as }: ServiceHarnessOptions, said: Said[]) {
  const nobody = { natsUser: undefined, natsPassword: undefined };
  const bus = await connectBus({
    ...nobody,
    natsUrl,
    natsReplicas: 1,
    natsStreamBytes: 2 ** 30,
    service: as,
    log: createLogger('test', 'error'),
    metrics: createMetrics('test'),
  });
  await bus.ownStream();
  const note = (event: EventType<never, object>) =>
    on(event, async (payload, { id }) => void said.push({ subject: event.subject, id, payload: { ...payload } }));
  bus.subscribe(facts.map(note), { concurrency: 1 });
  return bus;
}

/** The variables by which a service finds its stores. */
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

/** Starts a process and waits until it says that it is ready; throws what it printed where it ends instead. */
async function startProcess(folder: string, env: Readonly<Record<string, string>>): Promise<Worker> {
  const child = spawn(process.execPath, ['src/main.ts'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  child.stdout.on('data', (chunk) => (text += String(chunk)));
  child.stderr.on('data', (chunk) => (text += String(chunk)));
  const ready = (): boolean => {
    if (child.exitCode !== null) throw new Error(`the service ended: ${text}`);
    return text.includes('"msg":"ready"');
  };
  try {
    await until(() => child.exitCode !== null || ready(), { what: 'the service is ready' });
    ready();
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  const stop = (): Promise<void> => {
    child.kill('SIGTERM');
    return ended(child);
  };
  return { process: child, output: () => text, stop };
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) =>
    child.exitCode !== null || child.signalCode !== null ? resolve() : child.once('exit', () => resolve()),
  );
}
