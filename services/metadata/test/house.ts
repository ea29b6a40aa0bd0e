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
import { openPartner, type Partner } from './partner.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** What the service said, in the order in which it was heard. */
export type Said = { readonly subject: string; readonly id: string; readonly payload: Record<string, unknown> };

export const rpcTokens = { indexer: 'token-of-indexer', vdsctl: 'token-of-vdsctl', playback: 'token-of-playback' };

const heardFacts = Object.values(events).filter(({ owner }) => owner === 'metadata') as EventType<never, object>[];

const listenAsCatalog = async (url: string, said: Said[]) => {
  const bus = await connectBus({
    service: 'catalog',
    natsUrl: url,
    natsUser: undefined,
    natsPassword: undefined,
    natsReplicas: 1,
    natsStreamBytes: 2 ** 30,
    log: createLogger('test', 'error'),
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

export type Worker = {
  readonly process: ChildProcess;
  readonly rpcPort: number;
  readonly adminRpcPort: number;
  readonly adminPort: number;
  readonly output: () => string;
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
  readonly partner: Partner;
};

const callers = Object.entries(rpcTokens).map(
  ([name, token]) => `${name}=${createHash('sha256').update(token).digest('hex')}`,
);

/** The whole environment of a process; nothing of ours but PATH. */
const environmentOf = ({ database, nats, media, captions, partner }: Ground): Record<string, string> => ({
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
  CATALOG_RPC: `127.0.0.1:${partner.port}`,
  RPC_TOKEN: partner.token,
  RPC_CALLERS: callers.join(','),
});

const spawnWorker = async (ground: Ground, settings: Readonly<Record<string, string>>): Promise<Worker> => {
  const [rpcPort, adminRpcPort, adminPort] = [await freePort(), await freePort(), await freePort()];
  const ports = { RPC_PORT: `${rpcPort}`, ADMIN_RPC_PORT: `${adminRpcPort}`, ADMIN_PORT: `${adminPort}` };
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: folder,
    env: { ...environmentOf(ground), ...ports, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text += String(chunk)));
  child.stderr.on('data', (chunk) => (text += String(chunk)));
  const ready = (): boolean => {
    if (child.exitCode !== null) throw new Error(`metadata ended: ${text}`);
    return text.includes('"msg":"ready"');
  };
  try {
    await until(ready, { what: 'metadata starts' });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return { process: child, rpcPort, adminRpcPort, adminPort, output: () => text };
};

/** @param settings variables of every process that is started in it */
export const openHouse = async (settings: Readonly<Record<string, string>> = {}) => {
  const ground: Ground = {
    database: await testDatabase(folder),
    nats: await testNats(),
    media: await testBucket(),
    captions: await testBucket(),
    partner: await openPartner(),
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
    descriptions: ground.partner.descriptions,
    startWorker: async (more: Readonly<Record<string, string>> = {}): Promise<Worker> => {
      const worker = await spawnWorker(ground, { ...settings, ...more });
      workers.push(worker);
      return worker;
    },
    /** Everything said of a video, by the last words of the subject: `metadata.completed`. */
    of: (videoId: string, what: string): Said[] =>
      said.filter(({ subject, payload }) => subject === `metadata.${what}.v1` && payload['videoId'] === videoId),
    close: async (): Promise<void> => {
      for (const { process: child } of workers) child.kill('SIGTERM');
      await Promise.all(workers.map(({ process: child }) => ended(child)));
      await bus.close();
      await pool.end();
      await ground.partner.close();
      await ground.nats.remove();
      await Promise.all([ground.database.drop(), ground.media.drop(), ground.captions.drop()]);
    },
  };
};
export type House = Awaited<ReturnType<typeof openHouse>>;
