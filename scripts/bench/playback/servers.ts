/** Four servers of the same files: playback, the edge before it, nginx before the bucket, and nginx on local files. */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newFakeState, newSigner, RPC_TOKEN, servePeers, sign } from '@vds/playback/test/fake-services';
import { putVideo, readyVideo } from '@vds/playback/test/playback';
import { testNats } from '@vds/testkit/harness/nats';
import { testBucket, type TestBucket } from '@vds/testkit/harness/objects';
import { spawnService } from '@vds/testkit/harness/service-process';
import { nginx } from '@vds/testkit/programs/nginx';
import { isRoot } from '@vds/testkit/servers/command';
import { startEdge } from '@vds/testkit/servers/edge';
import { freePort } from '@vds/testkit/servers/free-port';
import { until } from '@vds/testkit/until';

const SEGMENTS = 24;
export const SEGMENT_BYTES = 4_000_000;
export const TOKENS = 1_000;
const ID = 'pbk1abcdefghijklmnopqrstuvw';
const SECRET = 'of the bench';
const VIDEO = 'bench';

export type Server = {
  /** Address of the file below the attempt, for the nth viewer. */
  readonly address: (path: string, viewer: number) => string;
  /** Processes whose time is counted. */
  readonly pids: readonly number[];
};
export type Servers = Readonly<Record<'playback' | 'edge' | 'nginx → S3' | 'nginx secure_link', Server>> & {
  readonly close: () => Promise<void>;
};

export const segments: readonly string[] = Array.from(
  { length: SEGMENTS },
  (_, index) => `piece-0.1/v/seg-${index}.m4s`,
);
export const PLAYLIST = 'assemble.1/v/720p/index.m3u8';
export const MASTER = 'master.m3u8';
/** A small file. */
export const INIT = 'piece-0.1/v/init.mp4';

/** Starts all four with the same random segments. */
export async function startServers(): Promise<Servers> {
  const bucket = await testBucket();
  const folder = mkdtempSync(join(tmpdir(), 'vds-bench-'));
  const files = await fill(bucket, folder);
  const player = await startPlaybackProcess(bucket);
  const edge = await startEdge(player.port);
  const plain = await startNginx(folder, bucket);
  const { origin } = new URL(plain.base);
  return {
    playback: { address: player.address(`http://127.0.0.1:${player.port}`), pids: [player.pid] },
    edge: { address: player.address(edge.base), pids: [edge.pid, ...childrenOf(edge.pid)] },
    'nginx → S3': { address: (path) => `${origin}/s3/videos/${VIDEO}/1/${path}`, pids: childrenOf(plain.pid) },
    'nginx secure_link': { address: (path) => `${origin}/files/${signed(path)}/${path}`, pids: childrenOf(plain.pid) },
    close: async () => {
      await edge.close();
      await plain.close();
      await player.close();
      await bucket.drop();
      rmSync(files, { recursive: true, force: true });
    },
  };
}

/** The same files in the bucket and in a folder. */
async function fill(bucket: TestBucket, folder: string): Promise<string> {
  await putVideo(bucket, VIDEO, Buffer.alloc(10));
  mkdirSync(join(folder, 'files/piece-0.1/v'), { recursive: true });
  for (const path of segments) {
    const bytes = randomBytes(SEGMENT_BYTES);
    writeFileSync(join(folder, 'files', path), bytes);
    await bucket.client.putObject(bucket.bucket, `videos/${VIDEO}/1/${path}`, bytes);
  }
  const Statement = [
    { Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: `arn:aws:s3:::${bucket.bucket}/*` },
  ];
  await bucket.client.setBucketPolicy(bucket.bucket, JSON.stringify({ Version: '2012-10-17', Statement }));
  return folder;
}

async function startPlaybackProcess(bucket: TestBucket) {
  const state = newFakeState();
  const signer = await newSigner('k1');
  state.keys = [signer.jwk];
  state.videos.set(ID, readyVideo(VIDEO));
  const peers = await servePeers(state);
  const nats = await testNats();
  const target = `dns:///127.0.0.1:${peers.port}`;
  const child = spawnService(new URL('../../../services/playback/', import.meta.url), {
    ...{ AUTH_RPC: target, CATALOG_RPC: target, TRANSCODE_RPC: target, RPC_TOKEN, NATS_URL: nats.url },
    ...{
      MEDIA_BUCKET: bucket.bucket,
      CAPTIONS_BUCKET: bucket.bucket,
      S3_ENDPOINT: bucket.endpoint,
      S3_REGION: bucket.region,
    },
    ...{ S3_ACCESS_KEY: bucket.accessKey, S3_SECRET_KEY: bucket.secretKey },
  });
  await until(() => child.lines.some((line) => line['msg'] === 'ready'), { what: 'playback is ready', capMs: 60_000 });
  const port = Number(child.lines.find((line) => 'http_port' in line)?.['http_port']);
  const tokens = await Promise.all(Array.from({ length: TOKENS }, () => sign(signer, ID)));
  return {
    port,
    pid: child.process.pid ?? 0,
    address:
      (base: string) =>
      (path: string, viewer: number): string =>
        `${base}/p/${tokens[viewer % TOKENS] ?? ''}/${ID}/${path}`,
    close: async (): Promise<void> => {
      await child.stop();
      await nats.remove();
      await peers.close();
    },
  };
}

/** nginx without a cache: `/s3/` by the bucket, `/files/<signature>/` from the folder. */
async function startNginx(folder: string, { endpoint, bucket }: TestBucket) {
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    file,
    `${isRoot() ? 'user root;' : ''} worker_processes 1; pid ${folder}/pid; error_log stderr;
events { worker_connections 4096; }
http {
  access_log off; sendfile on; tcp_nopush on; ${temporary.join(' ')}
  upstream s3 { server ${new URL(endpoint).host}; keepalive 64; }
  server {
    listen 127.0.0.1:${port};
    location /s3/ { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host ${new URL(endpoint).host}; proxy_pass http://s3/${bucket}/; }
    location ~ ^/files/(?<signature>[^/]+)/(?<path>.+)$ {
      secure_link $signature; secure_link_md5 "$path ${SECRET}";
      if ($secure_link = "") { return 403; }
      alias ${folder}/files/$path;
    }
  }
}`,
  );
  const child = spawn(nginx() ?? 'nginx', ['-c', file, '-e', 'stderr', '-g', 'daemon off;'], { stdio: 'inherit' });
  const base = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(base)).status > 0, { what: 'nginx answers' });
  return {
    base,
    pid: child.pid ?? 0,
    close: async (): Promise<void> => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function signed(path: string): string {
  return createHash('md5').update(`${path} ${SECRET}`).digest('base64url');
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}
