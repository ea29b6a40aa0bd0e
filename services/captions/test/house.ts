/** The real service in processes of its own, on a fresh database, buckets and nats-server, with the test as its catalog. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { events, type EventType } from '@vds/proto/events';
import { connectBus, hear } from '@vds/shared/bus';
import { createLogger } from '@vds/shared/log';
import { createMetrics } from '@vds/shared/metrics';
import { freePort } from '@vds/shared/testing/free-port';
import { testDatabase } from '@vds/shared/testing/database';
import { testNats } from '@vds/shared/testing/nats';
import { testBucket } from '@vds/shared/testing/objects';
import { readServers } from '@vds/shared/testing/servers-file';
import { until } from '@vds/shared/testing/until';
import pg from 'pg';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** What the service said, in the order in which it was heard. */
export type Said = { readonly subject: string; readonly id: string; readonly payload: Record<string, unknown> };

export const publisher = 'publisher-1';
export const tokenOf = (caller: string): string => `token-of-${caller}`;
const digest = (token: string): string => createHash('sha256').update(token).digest('hex');

export type Ports = { readonly rpc: number; readonly adminRpc: number; readonly admin: number };

/** Where the embedded engines are; the rest is found on PATH. */
const { speechPython, apertium } = readServers();
const engines: Record<string, string> = {
  ...(typeof speechPython === 'string' && { SPEECH_PYTHON: speechPython }),
  ...(typeof apertium === 'string' && { APERTIUM_PATH: apertium }),
};

const heardFacts = Object.values(events).filter(({ owner }) => owner === 'captions') as EventType<never, object>[];

const listenAsCatalog = async (url: string, said: Said[]) => {
  const log = createLogger('test', 'error');
  const bus = await connectBus({
    service: 'catalog',
    natsUrl: url,
    natsUser: undefined,
    natsPassword: undefined,
    natsReplicas: 1,
    natsStreamBytes: 2 ** 30,
    log,
    metrics: createMetrics('test'),
  });
  await bus.ownStream();
  bus.subscribe(
    heardFacts.map((event) =>
      hear(event, async (payload, { id }) => {
        said.push({ subject: event.subject, id, payload: { ...payload } });
      }),
    ),
    { concurrency: 1 },
  );
  return bus;
};

export type Worker = { readonly process: ChildProcess; readonly ports: Ports; readonly output: () => string };

/** Waits until the process says that it is ready. */
const started = async (child: ChildProcess, output: () => string): Promise<void> => {
  await until(
    () => {
      if (child.exitCode !== null) throw new Error(`captions ended: ${output()}`);
      return output().includes('"msg":"ready"');
    },
    { what: 'captions starts', capMs: 30_000 },
  );
};

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) =>
    child.exitCode !== null || child.signalCode !== null ? resolve() : child.once('exit', () => resolve()),
  );

type Ground = {
  readonly database: Awaited<ReturnType<typeof testDatabase>>;
  readonly nats: Awaited<ReturnType<typeof testNats>>;
  readonly media: Awaited<ReturnType<typeof testBucket>>;
  readonly captions: Awaited<ReturnType<typeof testBucket>>;
};

/** The whole environment of a process; nothing of ours but PATH. */
const environmentOf = ({ database, nats, media, captions }: Ground, ports: Ports): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  LOG_LEVEL: 'info',
  DATABASE_URL: database.url,
  DATABASE_PASSWORD: database.password,
  NATS_URL: nats.url,
  S3_ENDPOINT: media.endpoint,
  S3_REGION: media.region,
  S3_ACCESS_KEY: media.accessKey,
  S3_SECRET_KEY: media.secretKey,
  MEDIA_BUCKET: media.bucket,
  CAPTIONS_BUCKET: captions.bucket,
  RPC_PORT: String(ports.rpc),
  ADMIN_RPC_PORT: String(ports.adminRpc),
  ADMIN_PORT: String(ports.admin),
  RPC_CALLERS: ['vdsctl', 'indexer'].map((name) => `${name}=${digest(tokenOf(name))}`).join(','),
  ...engines,
});

const spawnWorker = async (ground: Ground, settings: Readonly<Record<string, string>>): Promise<Worker> => {
  const ports = { rpc: await freePort(), adminRpc: await freePort(), admin: await freePort() };
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: folder,
    env: { ...environmentOf(ground, ports), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text += String(chunk)));
  child.stderr.on('data', (chunk) => (text += String(chunk)));
  const worker = { process: child, ports, output: () => text };
  try {
    await started(child, worker.output);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return worker;
};

const listKeys = async ({ client, bucket }: Ground['media'], prefix: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const item of client.listObjectsV2(bucket, prefix, true)) keys.push((item as { name: string }).name);
  return keys;
};

const listUploads = async ({ client, bucket }: Ground['captions'], prefix: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const item of client.listIncompleteUploads(bucket, prefix, true)) keys.push((item as { key: string }).key);
  return keys;
};

const readText = async ({ client, bucket }: Ground['captions'], key: string): Promise<string> => {
  const body: Buffer[] = [];
  for await (const chunk of await client.getObject(bucket, key)) body.push(chunk as Buffer);
  return Buffer.concat(body).toString('utf8');
};

/** @param settings variables of every process that is started in it */
export const openHouse = async (settings: Readonly<Record<string, string>> = {}) => {
  const ground: Ground = {
    database: await testDatabase(folder),
    nats: await testNats(),
    media: await testBucket(),
    captions: await testBucket(),
  };
  const pool = new pg.Pool(ground.database.poolConfig);
  const said: Said[] = [];
  const bus = await listenAsCatalog(ground.nats.url, said);
  const workers: Worker[] = [];
  return {
    said,
    pool,
    bus,
    media: ground.media,
    captions: ground.captions,
    startWorker: async (more: Readonly<Record<string, string>> = {}): Promise<Worker> => {
      const worker = await spawnWorker(ground, { ...settings, ...more });
      workers.push(worker);
      return worker;
    },
    /** Everything said of a video, by the last words of the subject: `tracks.changed`. */
    of: (videoId: string, what: string): Said[] =>
      said.filter(({ subject, payload }) => subject === `captions.${what}.v1` && payload['videoId'] === videoId),
    keys: (videoId: string): Promise<string[]> => listKeys(ground.captions, `videos/${videoId}/`),
    /** Keys that are being uploaded in parts. */
    uploads: (videoId: string): Promise<string[]> => listUploads(ground.captions, `videos/${videoId}/`),
    /** Text of an object in the captions bucket. */
    read: (key: string): Promise<string> => readText(ground.captions, key),
    close: async (): Promise<void> => {
      for (const { process: child } of workers) child.kill('SIGTERM');
      await Promise.all(workers.map(({ process: child }) => ended(child)));
      await bus.close();
      await pool.end();
      await ground.nats.remove();
      await Promise.all([ground.database.drop(), ground.media.drop(), ground.captions.drop()]);
    },
  };
};
export type House = Awaited<ReturnType<typeof openHouse>>;
