/**
 * Three minutes of 1080p over a line of 40 Mb/s and at full speed, on one and on two transcode processes, each pinned to
 * a core: POST → ready beside the longer of the fetch and one bare ffmpeg of the same ladder on as many cores; when the
 * first pieces can be watched; bytes read from storage beside the size of the source; the timeline of the jobs.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transcode } from '@vds/proto';
import { AppError } from '@vds/chassis/errors';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { noTls } from '@vds/testkit/harness/rpc-callers';
import { cached, ffmpeg } from '@vds/testkit/media/render';
import { serveOverLine } from '@vds/testkit/origin/routes';
import { step } from '@vds/testkit/servers/progress';
import { partnerAt } from '@vds/testkit/stack/partner';
import { withStack, type BenchStack } from '@vds/testkit/stack/with-stack';
import { until } from '@vds/testkit/until';
import { bareRun } from './transcode/bare-ffmpeg.ts';
import { readConnectionConfig } from '@vds/vdsctl/config';
import { drawTimeline } from '@vds/vdsctl/domain/timeline';
import { readTimeline } from '@vds/vdsctl/inbound/jobs';
import { createAdminClients } from '@vds/vdsctl/outbound/admin-clients';

const execute = promisify(execFile);
const SECONDS = 180;
const LINE_BYTES = 5_000_000;
const FULL_SPEED = 1_000_000_000;
const RECIPE = [
  ...['-f', 'lavfi', '-i', 'testsrc2=s=1920x1080:r=30', '-f', 'lavfi', '-i', 'sine=440:r=48000', '-t', String(SECONDS)],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '8M', '-maxrate', '8M', '-bufsize', '16M', '-g', '60'],
  ...['-pix_fmt', 'yuv420p', '-c:a', 'aac', '-movflags', '+faststart'],
];
const services = ['gateway', 'auth', 'catalog', 'ingest', 'transcode'] as const;

type Times = {
  readonly fetch: number;
  /** POST → the end of the encode stage, which is `ready` in a stack without later stages. */
  readonly ready: number;
  /** POST → the first pieces and their sound can be watched. */
  readonly early: number;
  readonly encode: number;
  readonly stages: string;
  /** As `vdsctl video show --timeline` draws it. */
  readonly timeline: string;
  /** Bytes that the workers read from storage, by the size of the source. */
};

export async function benchLive(): Promise<void> {
  const clip = await step(`clip: ${SECONDS} s of 1080p`, () =>
    cached('bench-1080p-live', 'mp4', RECIPE, (path) => ffmpeg([...RECIPE, path])),
  );
  const bare = await step('bare ffmpeg on one core', () => bareRun(clip, '0'));
  for (const workers of [1, 2]) await withWorkers(clip, workers, bare);
}

async function withWorkers(clip: string, workers: number, bare: number): Promise<void> {
  const env = { transcode: { ENCODE_SLOTS: '1', INSPECT_SLOTS: '1' } };
  await withStack({ services: [...services], replicas: { transcode: workers }, env }, async (bench) => {
    await pinWorkers(bench);
    for (const [name, rate] of [
      ['40 Mb/s', LINE_BYTES],
      ['full speed', FULL_SPEED],
    ] as const) {
      const times = await step(`${workers} at ${name}`, () => publish(bench, clip, rate));
      const least = Math.max(times.fetch, bare / workers);
      const bar = workers === 1 ? '1.15' : '1.3';
      console.log(`${workers} × transcode, ${name}: ${times.stages}`);
      console.log(
        `  POST → ready ${times.ready.toFixed(1)} s = ${(times.ready / least).toFixed(2)} × max(fetch ${times.fetch.toFixed(1)} s, bare ${bare.toFixed(1)} s ÷ ${workers}) (bar ${bar})`,
      );
      console.log(
        `  first pieces after ${times.early.toFixed(1)} s = ${(times.early / times.ready).toFixed(2)} of it (bar 0.25)`,
      );
      console.log(times.timeline);
    }
  });
}

/** Each worker, and every program that it starts, has a core of its own. */
async function pinWorkers({ stack }: BenchStack): Promise<void> {
  const workers = stack.processes.filter(({ service }) => service === 'transcode');
  for (const [core, worker] of workers.entries())
    await execute('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(worker.pid())]);
}

async function publish(bench: BenchStack, clip: string, bytesPerSecond: number): Promise<Times> {
  const { stack, origin, operator } = bench;
  const path = `/live-${Math.random().toString(36).slice(2)}.mp4`;
  origin.route(path, serveOverLine(clip, bytesPerSecond));
  const partner = partnerAt(stack.url('gateway'), await operator.key(await operator.publisher('Bench', 'Bench')));
  const posted = performance.now();
  const { id } = await partner.submit({ source_url: origin.url(path), title: 'Live' });
  const early = watchable(bench, id.replace('vid_', '')).then(() => (performance.now() - posted) / 1_000);
  const ended = async () => {
    const stages = await operator.stages(id);
    const encode = stages.find(({ stage }) => stage === 'encode');
    return encode?.finishedAt !== undefined && stages;
  };
  const [first, stages] = await Promise.all([
    early,
    until(ended, { capMs: 1_800_000, everyMs: 250, what: 'the end of encode' }),
  ]);
  const record = await partner.read(id);
  const of = (name: string) => stages.find(({ stage }) => stage === name);
  if (of('encode')?.state !== 'completed') throw new Error(`the video failed: ${record.failure?.message}`);
  return {
    early: first,
    fetch: seconds(of('fetch')?.requestedAt, of('fetch')?.finishedAt),
    encode: seconds(of('encode')?.requestedAt, of('encode')?.finishedAt),
    ready: seconds(record.created_at, of('encode')?.finishedAt),
    stages: stages
      .filter(({ finishedAt }) => finishedAt !== undefined)
      .map(({ stage, requestedAt, finishedAt }) => `${stage} ${seconds(requestedAt, finishedAt).toFixed(1)} s`)
      .join(', '),
    timeline: await timelineOf(bench, id.replace('vid_', '')),
  };
}

/** Waits until staff could watch the beginning. */
async function watchable({ stack }: BenchStack, videoId: string): Promise<void> {
  const config = { rpcToken: stack.tokens.playback, ...noTls };
  const client = rpcClient(transcode.TranscodeService, { target: stack.rpc('transcode'), config, timeoutMs: 2_000 });
  const isThere = async (): Promise<boolean> =>
    client.GetPreview({ videoId }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'NOT_FOUND') return false;
        throw error;
      },
    );
  try {
    await until(isThere, { capMs: 1_800_000, everyMs: 250, what: 'something to watch' });
  } finally {
    await client.close();
  }
}

async function timelineOf({ stack }: BenchStack, videoId: string): Promise<string> {
  const clients = createAdminClients(readConnectionConfig({}, join(stack.dir, 'vdsctl.env')));
  try {
    const { timeline } = await readTimeline(clients, videoId, 1, new Date());
    return drawTimeline(timeline, 'no jobs');
  } finally {
    await clients.close();
  }
}

function seconds(from: string | undefined, to: string | undefined): number {
  return (Date.parse(to ?? '') - Date.parse(from ?? '')) / 1_000;
}
