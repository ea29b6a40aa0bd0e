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
import { until } from '@vds/shared/testing/until';
import pg from 'pg';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** What the service said, in the order in which it was heard. */
export type Said = { readonly subject: string; readonly id: string; readonly payload: Record<string, unknown> };

export const publisher = 'publisher-1';
export const rpcToken = 'token-of-playback';

const heardFacts = Object.values(events).filter(({ owner }) => owner === 'transcode') as EventType<never, object>[];

const listenAsCatalog = async (url: string, said: Said[]) => {
  const log = createLogger('test', 'error');
  const bus = await connectBus({
    service: 'catalog',
    natsUrl: url,
    natsUser: undefined,
    natsPassword: undefined,
    natsReplicas: 1,
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

export type Worker = { readonly process: ChildProcess; readonly rpcPort: number; readonly output: () => string };

/** Waits until the process says that it is ready. */
const started = async (child: ChildProcess, output: () => string): Promise<void> => {
  await until(
    () => {
      if (child.exitCode !== null) throw new Error(`transcode ended: ${output()}`);
      return output().includes('"msg":"ready"');
    },
    { what: 'transcode starts', capMs: 30_000 },
  );
};

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) =>
    child.exitCode !== null || child.signalCode !== null ? resolve() : child.once('exit', () => resolve()),
  );

export const openHouse = async (settings: Readonly<Record<string, string>> = {}) => {
  const [database, nats, sources, media] = [
    await testDatabase(folder),
    await testNats(),
    await testBucket(),
    await testBucket(),
  ];
  const pool = new pg.Pool(database.poolConfig);
  const said: Said[] = [];
  const bus = await listenAsCatalog(nats.url, said);
  const workers: Worker[] = [];

  const startWorker = async (more: Readonly<Record<string, string>> = {}): Promise<Worker> => {
    const rpcPort = await freePort();
    const child = spawn(process.execPath, ['src/main.ts'], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        LOG_LEVEL: 'info',
        DATABASE_URL: database.url,
        DATABASE_PASSWORD: database.password,
        NATS_URL: nats.url,
        S3_ENDPOINT: sources.endpoint,
        S3_REGION: sources.region,
        S3_ACCESS_KEY: sources.accessKey,
        S3_SECRET_KEY: sources.secretKey,
        SOURCES_BUCKET: sources.bucket,
        MEDIA_BUCKET: media.bucket,
        RPC_PORT: String(rpcPort),
        RPC_CALLERS: `playback=${createHash('sha256').update(rpcToken).digest('hex')}`,
        ENCODE_PRESET: 'ultrafast',
        ...settings,
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => (text += String(chunk)));
    child.stderr.on('data', (chunk) => (text += String(chunk)));
    const worker = { process: child, rpcPort, output: () => text };
    workers.push(worker);
    await started(child, worker.output);
    return worker;
  };

  return {
    said,
    pool,
    sources,
    media,
    bus,
    startWorker,
    /** Everything said of a video, by the last words of the subject: `inspect.completed`. */
    of: (videoId: string, what: string): Said[] =>
      said.filter(({ subject, payload }) => subject === `transcode.${what}.v1` && payload['videoId'] === videoId),
    keys: async (videoId: string): Promise<string[]> => {
      const keys: string[] = [];
      for await (const item of media.client.listObjectsV2(media.bucket, `videos/${videoId}/`, true))
        keys.push((item as { name: string }).name);
      return keys;
    },
    close: async (): Promise<void> => {
      for (const { process: child } of workers) child.kill('SIGTERM');
      await Promise.all(workers.map(({ process: child }) => ended(child)));
      await bus.close();
      await pool.end();
      await nats.remove();
      await Promise.all([database.drop(), sources.drop(), media.drop()]);
    },
  };
};
export type House = Awaited<ReturnType<typeof openHouse>>;
