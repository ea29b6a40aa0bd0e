/** What the start of all services takes, memory and processor time of each idle one, memory of ingest with a large file, and how soon a fetch starts when nothing else runs. */
import { readFileSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@vds/testkit/until';
import { partnerAt } from '@vds/testkit/stack/partner';
import { makeClip } from '@vds/testkit/media/make-clip';
import { mediaDir } from '@vds/testkit/media/render';
import { step } from '@vds/testkit/servers/progress';
import { secondsOf } from './api-cost.ts';
import { withStack, type BenchStack } from '@vds/testkit/stack/with-stack';

const IDLE_SECONDS = 30;
const LARGE_BYTES = 2 * 2 ** 30;

export async function benchIdle(): Promise<void> {
  return withStack({}, async (bench) => {
    const processes = bench.stack.processes.map(({ name, pid }) => ({ name, pid: pid() ?? 0 }));
    const starts = processes.map(({ pid }) => secondsOf(pid));
    const all = starts.reduce((sum, one) => sum + one, 0);
    console.log(
      `processor seconds until all are ready: ${all.toFixed(1)}, at most ${Math.max(...starts).toFixed(2)} of one`,
    );
    await step('ten quiet seconds', () => pause(10_000));
    const before = processes.map(({ pid }) => secondsOf(pid));
    await step(`${IDLE_SECONDS} more`, () => pause(IDLE_SECONDS * 1_000));
    const shares = processes.map(({ pid }, index) => (secondsOf(pid) - (before[index] ?? 0)) / IDLE_SECONDS);
    for (const [index, { name, pid }] of processes.entries())
      console.log(
        `idle ${name.padEnd(32)} ${memoryOf(pid).now.toFixed(0)} MiB (aim: 130), ${percent(shares[index] ?? 0)}`,
      );
    console.log(`idle together: ${percent(shares.reduce((sum, one) => sum + one, 0))} of a core (aim: 3 %)`);
    const key = await bench.operator.key(await bench.operator.publisher('Bench', 'Bench'));
    await fetchDelays(bench, key);
    await largeFetch(bench, key);
  });
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

/** Current and peak resident memory, in MiB. */
function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const value = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_024;
  return { now: value('VmRSS'), peak: value('VmHWM') };
}

async function fetchDelays({ stack, origin, operator }: BenchStack, key: string): Promise<void> {
  const partner = partnerAt(stack.url('gateway'), key);
  const clip = await makeClip();
  const delays: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const path = `/${basename(clip)}`;
    const seen = origin.requests().length;
    const { id } = await partner.submit({ source_url: origin.url(path), title: 'Bench' });
    const accepted = performance.now();
    await until(() => origin.requests().length > seen, { everyMs: 2, what: 'the fetch' });
    delays.push(Math.round(performance.now() - accepted));
    await until(
      async () => (await operator.stages(id)).every(({ state }) => state !== 'started' && state !== 'requested'),
      { capMs: 300_000, everyMs: 500, what: 'the end' },
    );
  }
  console.log(`202 → first request at the source     ${delays.join(', ')} ms (aim: at most 100)`);
}

/** A sparse file that is not a video: ingest fetches all of it, inspect rejects it. */
async function largeFetch({ stack, origin }: BenchStack, key: string): Promise<void> {
  const path = join(mediaDir, 'bench-large.bin');
  const file = await open(path, 'w');
  await file.truncate(LARGE_BYTES);
  await file.close();
  const partner = partnerAt(stack.url('gateway'), key);
  const pid = stack.process('ingest').pid() ?? 0;
  const from = performance.now();
  const { id } = await partner.submit({ source_url: origin.url(`/${basename(path)}`), title: 'Bench' });
  await until(async () => (await partner.read(id)).status !== 'processing', {
    capMs: 600_000,
    everyMs: 2_000,
    what: 'the large file',
  });
  console.log(
    `ingest after ${LARGE_BYTES / 2 ** 30} GiB in ${((performance.now() - from) / 1_000).toFixed(0)} s          ${memoryOf(pid).peak.toFixed(0)} MiB at its highest (aim: at most 256)`,
  );
  await rm(path);
}
