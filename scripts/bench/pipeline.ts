/** POST → ready and the encode stage of 60 s of 1080p, beside one bare ffmpeg run of the same ladder, in one run. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { planLadder, type Rung } from '../../services/transcode/src/domain/plan/ladder.ts';
import { partnerAt } from '../demo/partner.ts';
import { cached, ffmpeg, ffmpegPath } from '../media/render.ts';
import { step } from '../servers/progress.ts';
import { until } from '../../services/_shared/testing/until.ts';
import { withHouse, type BenchHouse } from './with-house.ts';

const execute = promisify(execFile);
const SECONDS = 60;

/** A moving test picture and a tone. */
const RECIPE = [
  ...['-f', 'lavfi', '-i', `testsrc2=s=1920x1080:r=30`],
  ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'],
  ...['-t', String(SECONDS), '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '21', '-pix_fmt', 'yuv420p', '-g', '60'],
  ...['-c:a', 'aac', '-b:a', '128k', '-movflags', '+faststart'],
];

const rate = (bits: number): string => `${Math.round(bits / 1_000)}k`;

const rungArguments = (rung: Rung, index: number, folder: string): string[] => [
  ...['-map', `[r${index}]`, '-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-crf', '23'],
  ...[
    '-maxrate',
    rate(rung.maxRate),
    '-bufsize',
    rate(rung.maxRate * 2),
    '-g',
    '60',
    '-keyint_min',
    '60',
    '-sc_threshold',
    '0',
  ],
  ...hls(join(folder, rung.name)),
];

const hls = (prefix: string): string[] => [
  ...['-f', 'hls', '-hls_time', '6', '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'],
  ...[
    '-hls_fmp4_init_filename',
    `${basename(prefix)}-init.mp4`,
    '-hls_segment_filename',
    `${prefix}-%d.m4s`,
    `${prefix}.m3u8`,
  ],
];

/** Wall seconds of one ffmpeg: one decode, every rung, the audio rendition; segments to a folder. */
const bareRun = async (clip: string): Promise<number> => {
  const ladder = planLadder({ width: 1_920, height: 1_080, frameRate: 30 });
  const folder = await mkdtemp(join(tmpdir(), 'vds-bench-'));
  const split = `[0:v]split=${ladder.length}${ladder.map((_rung, index) => `[s${index}]`).join('')}`;
  const scales = ladder.map(
    ({ width, height }, index) => `[s${index}]scale=${width}:${height}:flags=bicubic[r${index}]`,
  );
  const args = [
    ...['-hide_banner', '-nostdin', '-v', 'error', '-i', clip, '-filter_complex', [split, ...scales].join(';')],
    ...ladder.flatMap((rung, index) => rungArguments(rung, index, folder)),
    ...['-map', '0:a', '-c:a', 'aac', '-b:a', '128k', ...hls(join(folder, 'audio'))],
  ];
  const from = performance.now();
  await execute(ffmpegPath(), args);
  await rm(folder, { recursive: true });
  return (performance.now() - from) / 1_000;
};

type PipelineTimes = { readonly total: number; readonly encode: number; readonly stages: string };

const pipelineRun = async ({ house, origin, operator }: BenchHouse, clip: string): Promise<PipelineTimes> => {
  const partner = partnerAt(house.url('gateway'), await operator.key(await operator.publisher('Bench', 'Bench')));
  const from = performance.now();
  const { id } = await partner.submit({ source_url: origin.url(`/${basename(clip)}`), title: 'Bench' });
  let record = await partner.read(id);
  // Polls at most 60 times a minute: the key has the usual limit.
  await until(async () => (record = await partner.read(id)).status !== 'processing', {
    capMs: 600_000,
    everyMs: 1_050,
    what: 'the video',
  });
  if (record.status !== 'ready') throw new Error(`the video ended as ${record.status}: ${record.failure?.message}`);
  const polled = (performance.now() - from) / 1_000;
  const stages = await operator.stages(id);
  const length = ({ requestedAt, finishedAt }: (typeof stages)[number]): number =>
    (Date.parse(finishedAt ?? '') - Date.parse(requestedAt ?? '')) / 1_000;
  const ended = Date.parse(stages.find(({ stage }) => stage === 'encode')?.finishedAt ?? '');
  const total = Number.isNaN(ended) ? polled : (ended - Date.parse(record.created_at)) / 1_000;
  const encode = stages.find(({ stage }) => stage === 'encode');
  return {
    total,
    encode: encode ? length(encode) : Number.NaN,
    stages: stages.map((stage) => `${stage.stage} ${length(stage).toFixed(1)} s`).join(', '),
  };
};

export const benchPipeline = async (): Promise<void> => {
  const clip = await step(`clip: ${SECONDS} s of 1080p`, () =>
    cached('bench-1080p', 'mp4', RECIPE, (path) => ffmpeg([...RECIPE, path])),
  );
  await withHouse({}, async (bench) => {
    const first = await step('bare ffmpeg', () => bareRun(clip));
    const times = await step('POST → ready', () => pipelineRun(bench, clip));
    const second = await step('bare ffmpeg again', () => bareRun(clip));
    const bare = (first + second) / 2;
    const lines = [
      `bare ffmpeg, same ladder and preset   ${first.toFixed(1)} s and ${second.toFixed(1)} s, mean ${bare.toFixed(1)} s`,
      `stages, request → last fact           ${times.stages}`,
      `encode stage                          ${times.encode.toFixed(1)} s = ${(times.encode / bare).toFixed(2)} × bare (bar 1.25)`,
      `POST → ready                          ${times.total.toFixed(1)} s = ${(times.total / bare).toFixed(2)} × bare (bar 1.40)`,
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
  });
};
