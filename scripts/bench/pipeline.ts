/**
 * POST → ready of 60 s of 1080p with speech, in one run on the same machine: compared with a bare ffmpeg run of the
 * same ladder; and with captions and metadata compared with the same stack without them, with the embedded engines and
 * with HTTP engines that respond within a second.
 */
import { basename } from 'node:path';
import { startEngines } from '@vds/testkit/engines/engines';
import { partnerAt, type StatusRecord } from '@vds/testkit/stack/partner';
import type { Environment } from '@vds/testkit/stack/environment';
import { serviceNames } from '@vds/deploy-tools/services';
import { cached, ffmpeg } from '@vds/testkit/media/render';
import { step } from '@vds/testkit/servers/progress';
import { until } from '@vds/testkit/until';
import { bareRun } from './transcode/bare-ffmpeg.ts';
import { withStack, type BenchStack } from '@vds/testkit/stack/with-stack';

const SECONDS = 60;
const SENTENCES = [
  'welcome back to the championship final',
  'the goalkeeper makes a brilliant save in the final minute of the championship match',
  'now look at this wonderful pass to the left side',
  'the striker scores the winning goal and the crowd goes wild',
  'the final score is three to two and the home team wins the championship',
];
const SPEECH = Array.from({ length: 4 }, () => SENTENCES)
  .flat()
  .join('. ');

/** A moving test picture with continuous speech. */
const RECIPE = [
  ...['-f', 'lavfi', '-i', `testsrc2=s=1920x1080:r=30`],
  ...['-f', 'lavfi', '-i', `flite=text='${SPEECH}':voice=slt,aresample=48000,apad`],
  ...['-t', String(SECONDS), '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '21', '-pix_fmt', 'yuv420p', '-g', '60'],
  ...['-c:a', 'aac', '-b:a', '128k', '-movflags', '+faststart'],
];

/** The stages whose cost is measured, and the services that only they need. */
const DISPENSABLE: readonly string[] = ['captions', 'metadata', 'indexer'];

type PipelineTimes = {
  /** POST → the end of the encode stage: `ready` in a stack without later stages. */
  readonly pictures: number;
  /** POST → ready. */
  readonly ready: number;
  readonly encode: number;
  readonly stages: string;
  /** Caption tracks that are ready. */
  readonly tracks: number;
};

export async function benchPipeline(): Promise<void> {
  const clip = await step(`clip: ${SECONDS} s of 1080p with speech`, () =>
    cached('bench-1080p-speech', 'mp4', RECIPE, (path) => ffmpeg([...RECIPE, path])),
  );
  // Without, with, with, without: a machine whose speed drifts favours neither.
  const before = await without(clip);
  const embedded = await withStages(clip, 'embedded engines', {});
  const engines = await startEngines({ delayMs: 1_000 });
  const behindHttp = await withStages(clip, 'engines behind HTTP', engines.environment);
  await engines.close();
  const after = await without(clip);
  const base = mean([before.pictures, after.pictures]);
  console.log(
    `POST → ready without both             ${before.pictures.toFixed(1)} s and ${after.pictures.toFixed(1)} s`,
  );
  report('embedded engines', embedded, base, '1.35');
  report('engines behind HTTP', behindHttp, base, '1.10');
}

/** Without captions and metadata: their services do not run, and the video counts as ready after the encode stage. */
async function without(clip: string): Promise<PipelineTimes> {
  const services = serviceNames.filter((name) => !DISPENSABLE.includes(name));
  let times: PipelineTimes | undefined;
  await withStack({ services }, async (bench) => {
    const first = await step('bare ffmpeg', () => bareRun(clip));
    times = await step('POST → pictures done, without captions and metadata', () =>
      publish(bench, clip, (record, pictures) => pictures || record.status === 'failed'),
    );
    const second = await step('bare ffmpeg again', () => bareRun(clip));
    const bare = (first + second) / 2;
    const ratio = (value: number, bar: string): string =>
      `${value.toFixed(1)} s = ${(value / bare).toFixed(2)} × bare (bar ${bar})`;
    console.log(
      `bare ffmpeg, same ladder and preset   ${first.toFixed(1)} s and ${second.toFixed(1)} s, mean ${bare.toFixed(1)} s`,
    );
    console.log(`encode stage                          ${ratio(times.encode, '1.25')}`);
    console.log(`POST → ready, no stage after it       ${ratio(times.pictures, '1.40')}`);
  });
  if (times === undefined) throw new Error('nothing was measured');
  return times;
}

/** Publishes the clip and waits for `over`; the times are catalog's own, not those of polling. */
async function publish(
  { stack, origin, operator }: BenchStack,
  clip: string,
  over: (record: StatusRecord, pictures: boolean) => boolean,
): Promise<PipelineTimes> {
  const partner = partnerAt(stack.url('gateway'), await operator.key(await operator.publisher('Bench', 'Bench')));
  const { id } = await partner.submit({ source_url: origin.url(`/${basename(clip)}`), title: 'Bench' });
  let record = await partner.read(id);
  let stages = await operator.stages(id);
  // Polls at most 60 times a minute: the key has the default limit.
  const ended = async (): Promise<boolean> => {
    record = await partner.read(id);
    stages = await operator.stages(id);
    return over(record, stages.find(({ stage }) => stage === 'encode')?.state === 'completed');
  };
  await until(ended, { capMs: 600_000, everyMs: 1_050, what: 'the video' });
  if (record.status === 'failed') throw new Error(`the video failed: ${record.failure?.message}`);
  const encode = stages.find(({ stage }) => stage === 'encode');
  return {
    pictures: seconds(record.created_at, encode?.finishedAt),
    ready: seconds(record.created_at, record.updated_at),
    encode: seconds(encode?.requestedAt ?? '', encode?.finishedAt),
    stages: stages
      .map(({ stage, requestedAt, finishedAt }) => `${stage} ${seconds(requestedAt ?? '', finishedAt).toFixed(1)} s`)
      .join(', '),
    tracks: record.captions?.filter(({ status }) => status === 'ready').length ?? 0,
  };
}

function seconds(from: string, to: string | undefined): number {
  return (Date.parse(to ?? '') - Date.parse(from)) / 1_000;
}

/** With every stage, twice in one stack; the second run starts with warm caches. */
async function withStages(clip: string, name: string, captions: Environment): Promise<PipelineTimes[]> {
  const runs: PipelineTimes[] = [];
  await withStack({ env: { captions } }, async (bench) => {
    for (const round of ['first', 'second'])
      runs.push(
        await step(`POST → ready with ${name}, ${round} run`, () =>
          publish(bench, clip, ({ status }) => status !== 'processing'),
        ),
      );
  });
  return runs;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function report(name: string, runs: readonly PipelineTimes[], base: number, goal: string): void {
  const ready = mean(runs.map((run) => run.ready));
  for (const { stages, tracks } of runs) console.log(`  ${name}: ${stages}; ${tracks} tracks ready`);
  console.log(
    `POST → ready, ${name.padEnd(24)}${runs.map((run) => run.ready.toFixed(1)).join(' s and ')} s = ${(ready / base).toFixed(2)} × without captions and metadata (goal ${goal})`,
  );
}
