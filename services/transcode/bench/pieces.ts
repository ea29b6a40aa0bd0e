/**
 * Six minutes of 1080p30 on two transcode processes with one slot each: whether the pieces are joined at the first try,
 * how many of them each process encoded, and how long the encode stage takes compared with one bare ffmpeg of the same
 * ladder.
 */
import { basename } from 'node:path';
import { partnerAt } from '@vds/testkit/stack/partner';
import { cached, ffmpeg } from '@vds/testkit/media/render';
import { step } from '@vds/testkit/servers/progress';
import { until } from '@vds/testkit/until';
import { bareRun } from './bare-ffmpeg.ts';
import { withStack, type BenchStack } from '@vds/testkit/stack/with-stack';

const SECONDS = 360;
const RECIPE = [
  ...['-f', 'lavfi', '-i', 'testsrc2=s=1920x1080:r=30', '-f', 'lavfi', '-i', 'sine=440:r=48000'],
  ...[
    '-t',
    String(SECONDS),
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-crf',
    '23',
    '-pix_fmt',
    'yuv420p',
    '-g',
    '60',
  ],
  ...['-c:a', 'aac', '-b:a', '128k', '-movflags', '+faststart'],
];

type Made = { readonly name: string; readonly seconds: number };

export async function benchPieces(): Promise<void> {
  const clip = await step(`clip: ${SECONDS} s of 1080p30`, () =>
    cached('bench-1080p-long', 'mp4', RECIPE, (path) => ffmpeg([...RECIPE, path])),
  );
  const services = ['gateway', 'auth', 'catalog', 'ingest', 'transcode'] as const;
  const env = { transcode: { ENCODE_SLOTS: '1', INSPECT_SLOTS: '1' } };
  await withStack({ services: [...services], replicas: { transcode: 2 }, env }, async (bench) => {
    const encode = await step('encode stage on two processes', () => publish(bench, clip));
    const jobs = await jobsOf(bench);
    const shares = await Promise.all(
      bench.stack.processes.filter(({ name }) => name.startsWith('transcode')).map(({ adminUrl }) => tries(adminUrl)),
    );
    const bare = await step('bare ffmpeg', () => bareRun(clip));
    print(`jobs: ${jobs.map(({ name, seconds }) => `${name} ${seconds.toFixed(0)} s`).join(', ')}`);
    print(`joined at the first try: ${jobs.some(({ name }) => name === 'whole') ? 'no' : 'yes'}`);
    print(`jobs done by each process: ${shares.join(' and ')}`);
    print(`encode stage ${encode.toFixed(1)} s = ${(encode / bare).toFixed(2)} × bare ffmpeg (${bare.toFixed(1)} s)`);
  });
}

/** Publishes the clip; the encode stage's seconds by catalog's own times. */
async function publish({ stack, origin, operator }: BenchStack, clip: string): Promise<number> {
  const partner = partnerAt(stack.url('gateway'), await operator.key(await operator.publisher('Bench', 'Bench')));
  const { id } = await partner.submit({ source_url: origin.url(`/${basename(clip)}`), title: 'Bench' });
  const encode = async () => {
    const stage = (await operator.stages(id)).find((one) => one.stage === 'encode');
    return stage?.finishedAt ? stage : undefined;
  };
  const { requestedAt, finishedAt, state } = await until(encode, { capMs: 1_800_000, everyMs: 1_000, what: 'encode' });
  if (state !== 'completed') throw new Error(`encode ended as ${state}`);
  return (Date.parse(finishedAt ?? '') - Date.parse(requestedAt ?? '')) / 1_000;
}

/** The jobs of the video and the seconds that each took, from the database. */
async function jobsOf({ stack }: BenchStack): Promise<Made[]> {
  const { rows } = await stack.adminPool('transcode').query<Made>(
    `SELECT name, extract(epoch FROM finished_at - started_at)::float8 AS seconds FROM chassis.jobs
     WHERE queue = 'encode' AND state = 'done' ORDER BY started_at`,
  );
  return rows;
}

async function tries(address: string): Promise<string> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return /vds_work_tries_total\{[^}]*queue="encode"[^}]*outcome="done"[^}]*\} (\d+)/.exec(text)?.[1] ?? '0';
}

function print(line: string): void {
  return void process.stdout.write(`${line}\n`);
}
