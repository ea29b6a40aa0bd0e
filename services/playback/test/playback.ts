/** playback as main.ts composes it, in this process, with a real bucket. */
import { request } from 'node:http';
import { serveHttp } from '@vds/chassis/http/http';
import { createLogger, type Logger } from '@vds/chassis/telemetry/log';
import { createMetrics, type Metrics } from '@vds/chassis/telemetry/metrics';
import { openForwarding } from '@vds/chassis/objects/forwarding';
import { openObjects } from '@vds/chassis/objects/objects';
import type { TestBucket } from '@vds/testkit/harness/objects';
import { ladderDocument } from '@vds/proto/documents/ladder';
import { createViewCollector } from '../src/inbound/collect-views.ts';
import { playbackApp } from '../src/inbound/http.ts';
import { openAuthClient } from '../src/outbound/auth-client.ts';
import { openCatalogClient } from '../src/outbound/catalog-client.ts';
import { openPreviewClient } from '../src/outbound/preview-client.ts';
import { openExcerpts } from '../src/outbound/excerpts.ts';
import { openGates } from '../src/outbound/gates.ts';
import { openKeySet } from '@vds/chassis/rpc/key-set';
import { createReadMetrics, openFiles, openLadders } from '../src/outbound/media.ts';
import { openTokens } from '../src/outbound/tokens.ts';
import type { CountryOf } from '../src/outbound/country.ts';
import { openViewReports } from '../src/outbound/view-reports.ts';
import { ladderOf } from './ladder-document.ts';
import { RPC_TOKEN } from './fake-services.ts';
import { noTls } from '@vds/testkit/harness/rpc-callers';

export type PlaybackOptions = {
  readonly freshMs?: number;
  readonly staleMs?: number;
  readonly idleMs?: number;
  readonly minBytesPerSecond?: number;
  readonly maxConnections?: number;
  readonly endpoint?: string;
  readonly captionsBucket?: string;
  /** Gets the reports of views. */
  readonly onReport?: Parameters<typeof openViewReports>[0]['publish'];
  readonly countryOf?: CountryOf;
};

type Composed = { readonly log: Logger; readonly metrics: Metrics };
export type Playback = Awaited<ReturnType<typeof startPlayback>>;

/** Starts one replica with auth and catalog on `rpcPort`. */
export async function startPlayback(rpcPort: number, bucket: TestBucket, options: PlaybackOptions = {}) {
  const lines: string[] = [];
  const log = createLogger('playback', 'trace', { write: (line) => void lines.push(line) });
  const metrics = createMetrics('playback');
  const { app, gates, closePeers } = compose(rpcPort, bucket, options, { log, metrics });
  const http = await serveHttp(app, { port: 0, maxConnections: options.maxConnections });
  const base = `http://127.0.0.1:${http.port}`;
  return {
    base,
    port: http.port,
    lines,
    drop: gates.drop,
    get: (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(base + path, { redirect: 'manual', ...init }),
    /** Sends the path unchanged; `fetch` would normalize it. */
    rawStatus: (path: string): Promise<number> =>
      new Promise((resolve, reject) => {
        request({ port: http.port, path }, (response) => resolve(response.resume().statusCode ?? 0))
          .once('error', reject)
          .end();
      }),
    /** Value of a metric by its name and some of its labels, as Prometheus would read it. */
    metric: async (name: string, labels: Record<string, string> = {}): Promise<number> => {
      const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
      const lines = (await metrics.registry.metrics())
        .split('\n')
        .filter((line) => /[{ ]/.test(line.charAt(name.length)));
      const found = lines.find((line) => line.startsWith(name) && wanted.every((label) => line.includes(label)));
      return Number(found?.slice(found.lastIndexOf(' ')) ?? 0);
    },
    close: async (): Promise<void> => {
      await http.close();
      await closePeers();
    },
  };
}

/** What auth, catalog and transcode may take: the test decides how long they do, however busy the machine is. */
const PEER_TIMEOUT_MS = 10_000;

/** Composes like main.ts, without the bus. */
function compose(rpcPort: number, bucket: TestBucket, options: PlaybackOptions, { log, metrics }: Composed) {
  const target = `dns:///127.0.0.1:${rpcPort}`;
  const config = { rpcToken: RPC_TOKEN, ...noTls };
  const auth = openAuthClient(target, config, PEER_TIMEOUT_MS);
  const catalog = openCatalogClient(target, { config, timeoutMs: PEER_TIMEOUT_MS, log });
  const { freshMs = 15_000, staleMs = 300_000, idleMs = 60_000, minBytesPerSecond = 1_024 } = options;
  const pace = { idleMs, minBytesPerSecond };
  const previews = openPreviewClient(target, config, PEER_TIMEOUT_MS);
  const gates = openGates({ resolve: catalog.resolve, freshMs, staleMs, log, metrics });
  const policy = { issuer: 'vds-auth', audience: 'vds-playback', skewMs: 30_000 };
  const tokens = openTokens(openKeySet({ load: auth.getJwks, log }), policy);
  const { region: s3Region, accessKey: s3AccessKey, secretKey: s3SecretKey } = bucket;
  const s3 = { s3Endpoint: options.endpoint ?? bucket.endpoint, s3Region, s3AccessKey, s3SecretKey };
  const readMetrics = createReadMetrics(metrics);
  const forward = openForwarding(s3);
  const mediaBucket = openObjects(s3, bucket.bucket);
  const media = { ...openFiles(mediaBucket, forward, readMetrics), ...openLadders(mediaBucket) };
  const captionsBucket = openObjects(s3, options.captionsBucket ?? 'none');
  const captions = openFiles(captionsBucket, forward, readMetrics);
  const excerpts = openExcerpts({ media: mediaBucket, captions: captionsBucket });
  const { onReport = async () => {}, countryOf = () => '' } = options;
  const reports = openViewReports({ publish: onReport, log, metrics });
  const views = createViewCollector({ reports, countryOf });
  const app = playbackApp({ gates, previews, tokens, media, captions, excerpts, views, pace, log, metrics });
  return { app, gates, closePeers: () => Promise.all([auth.close(), catalog.close(), previews.close()]) };
}

/** Uploads transcode's objects of a finished video; `segment` is its first segment. */
export async function putVideo(bucket: TestBucket, videoId: string, segment: Buffer): Promise<void> {
  const put = (path: string, body: Buffer | string): Promise<unknown> =>
    bucket.client.putObject(bucket.bucket, `videos/${videoId}/1/${path}`, body, undefined, {
      'Content-Type': 'binary/octet-stream',
    });
  await Promise.all([
    put('assemble.1/ladder.json', ladderDocument.write(ladderOf(videoId))),
    put('assemble.1/v/720p/index.m3u8', mediaPlaylist('../../../')),
    put('assemble.1/v/1080p/index.m3u8', mediaPlaylist('../../../')),
    put('audio.1/a/index.m3u8', mediaPlaylist('../../')),
    put('piece-0.1/v/init.mp4', 'init'),
    put('piece-0.1/v/seg-00000.m4s', segment),
    put('piece-0.1/thumbnail.jpg', 'a picture'),
    put('piece-0.1/storyboard-0.jpg', 'tiles'),
    put(
      'assemble.1/storyboard.vtt',
      'WEBVTT\n\n00:00.000 --> 00:02.000\n../piece-0.1/storyboard-0.jpg#xywh=0,0,160,90\n',
    ),
  ]);
}

function mediaPlaylist(up: string): string {
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-TARGETDURATION:6',
    `#EXT-X-MAP:URI="${up}piece-0.1/v/init.mp4"`,
    '#EXTINF:6.0,',
    `${up}piece-0.1/v/seg-00000.m4s`,
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
}

/** Catalog's reply for such a video while it is ready. */
export function readyVideo(videoId: string, version = 1) {
  return {
    videoId,
    state: 'VIDEO_STATE_READY' as const,
    ladderKey: `videos/${videoId}/1/assemble.1/ladder.json`,
    thumbnailKey: `videos/${videoId}/1/piece-0.1/thumbnail.jpg`,
    version,
    durationMs: 12_000,
  };
}
