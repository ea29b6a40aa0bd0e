/**
 * Events through the real path while analytics is killed and NATS is restarted. Expected is what JetStream stores, read
 * by an administrator of its account and added up here.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { events, streamOf } from '@vds/proto/events';
import { makeClip } from '@vds/testkit/media/make-clip';
import { clickhouseAdapter } from '@vds/testkit/programs/clickhouse';
import { runningPid } from '@vds/testkit/servers/detached';
import { freePort } from '@vds/testkit/servers/free-port';
import { startNats, stopNats } from '@vds/testkit/servers/nats';
import { print } from '@vds/testkit/servers/progress';
import { openSettings } from '@vds/testkit/servers/settings';
import { partnerAt } from '@vds/testkit/stack/partner';
import type { StackProcess } from '@vds/testkit/stack/processes';
import { addStreamAdmin, storedMessages } from '@vds/testkit/stack/stream-admin';
import { withStack, type BenchStack } from '@vds/testkit/stack/with-stack';
import { until } from '@vds/testkit/until';
import { vdsctl } from '@vds/vdsctl/inbound/vdsctl';
import { EVENTS_PER_VIEW, outcomesOf, sendViews } from './views-load.ts';

/** VDS_BENCH_EVENTS: how many, for a shorter run. */
const EVENTS = Number(process.env['VDS_BENCH_EVENTS'] ?? 300_000);
const ORGANIZATIONS = ['Watched', 'Rival'];
/** The kernel's clock ticks a second: 100 on every Linux that Node runs on. */
const TICKS = 100;

type Costs = ReturnType<typeof openCosts>;
type Store = 'files' | 'clickhouse';
type Sums = { readonly plays: number; readonly events: number; readonly watchedMs: number; readonly stalls: number };

/**
 * With files one replica is killed three times; with ClickHouse one of two replicas, once.
 * @param store `files` (the default) or `clickhouse`
 */
export async function benchViews(store = 'files'): Promise<void> {
  if (store !== 'files' && store !== 'clickhouse') throw new Error('Which store? One of: files, clickhouse.');
  const engine = store === 'clickhouse' ? await openEngine() : undefined;
  if (store === 'clickhouse' && !engine) throw new Error('VDS_CHDB_PYTHON names no Python with chdb');
  const env = { analytics: { TIME_SCALE: 'flushEvery=10s,leaderLease=5s', ...engine?.env } };
  const replicas = { analytics: engine ? 2 : 1 };
  try {
    await withStack({ env, replicas }, async (bench) => {
      process.stdout.write(`${(await run(bench, store)).join('\n')}\n`);
    });
  } finally {
    await engine?.close();
  }
}

async function run(bench: BenchStack, store: Store): Promise<string[]> {
  const { stack } = bench;
  await addStreamAdmin(stack.servers, stack.name);
  const clip = basename(await makeClip());
  const addresses = await Promise.all(ORGANIZATIONS.map((name) => watchable(bench, name, clip)));
  const load = { addresses, metricsUrl: `${stack.process('playback').adminUrl}/metrics` };
  const replicas = stack.processes.filter(({ service }) => service === 'analytics');
  const costs = openCosts();
  const views = Math.floor(EVENTS / EVENTS_PER_VIEW);
  const steps: readonly (() => Promise<void>)[] =
    store === 'files'
      ? [
          () => killAndStart(replicas[0], costs),
          () => killAndStart(replicas[0], costs),
          () => restartNats(stack.servers.nats.dir),
          () => killAndStart(replicas[0], costs),
        ]
      : [() => killAndStart(replicas[1], costs), () => restartNats(stack.servers.nats.dir)];
  const began = performance.now();
  for (const [index, fault] of [...steps, async () => {}].entries()) {
    const at = (part: number): number => Math.floor((views * part) / (steps.length + 1));
    await sendViews(load, at(index), at(index + 1));
    print(`… ${at(index + 1)} of ${views} views sent`);
    await fault();
  }
  const sentSeconds = (performance.now() - began) / 1_000;
  const expected = await storedSums(stack.servers, stack.name);
  const found = await settledSums(join(stack.dir, 'vdsctl.env'), expected);
  const storedSeconds = (performance.now() - began) / 1_000;
  for (const replica of replicas) costs.read(replica);
  const total = expected.reduce((sum, one) => sum + one.events, 0);
  const { published = 0, dropped = 0 } = await outcomesOf(load.metricsUrl);
  return [
    `${store}: ${views * EVENTS_PER_VIEW} events sent in ${sentSeconds.toFixed(0)} s; acknowledged by JetStream ${published}, dropped by playback ${dropped}; in the stream ${total}`,
    ...ORGANIZATIONS.map(
      (name, index) => `  ${name}: expected ${text(expected[index])}; in the views ${text(found[index])}`,
    ),
    `  stored ${(total / storedSeconds).toFixed(0)} events a second; processor ${((costs.total.seconds / total) * 1e6).toFixed(0)} s a million events; peak ${costs.total.peakMiB.toFixed(0)} MiB`,
    JSON.stringify(expected) === JSON.stringify(found) && published <= total
      ? '  nothing lost, nothing counted twice'
      : '  FIGURES DIFFER',
  ];
}

/** A published video of a new organization; the address for reports of its views. */
async function watchable({ stack, origin, operator }: BenchStack, name: string, clip: string): Promise<string> {
  const partner = partnerAt(stack.url('gateway'), await operator.key(await operator.publisher(name, name)));
  const { id } = await partner.submit({ source_url: origin.url(`/${clip}`), title: name });
  const ready = async () => {
    const { status, playback } = await partner.read(id);
    if (status === 'failed') throw new Error(`the clip of ${name} failed: ${stack.dir} has the logs`);
    return playback ?? false;
  };
  const playback = await until(ready, {
    ...{ what: 'the video is ready', capMs: 300_000, everyMs: 500 },
  });
  const playbackId = playback.playback_id;
  return `${stack.url('playback')}/p/${await operator.token(playbackId, 7_200)}/${playbackId}/events`;
}

async function killAndStart(replica: StackProcess | undefined, costs: Pick<Costs, 'read'>): Promise<void> {
  if (!replica) return;
  costs.read(replica);
  await replica.kill('SIGKILL');
  replica.start();
  await replica.ready();
}

async function restartNats(dir: string): Promise<void> {
  const settings = await openSettings(dir, false);
  await stopNats(dir);
  await startNats(dir, settings);
  if (runningPid(dir, 'nats') === null) throw new Error('NATS did not start again');
}

/** By organization, in their order. */
async function storedSums(servers: BenchStack['stack']['servers'], name: string): Promise<Sums[]> {
  const { subject, owner, decode } = events.viewReported;
  const reports = (await storedMessages(servers, name, { stream: streamOf(owner), subject })).map((data) =>
    decode(data),
  );
  // Views are sent in fours, by turns; the video says whose.
  const videos = [
    ...new Set(reports.toSorted((a, b) => number(a.viewId) - number(b.viewId)).map((one) => one.videoId)),
  ];
  return videos.map((videoId) => {
    const own = reports.filter((report) => report.videoId === videoId);
    const watched = new Map<string, number>();
    const stalls = new Map<string, number>();
    for (const { viewId, watchedMs = 0, stalls: count = 0 } of own) {
      watched.set(viewId, Math.max(watched.get(viewId) ?? 0, watchedMs));
      stalls.set(viewId, Math.max(stalls.get(viewId) ?? 0, count));
    }
    const sum = (values: Map<string, number>): number => [...values.values()].reduce((all, one) => all + one, 0);
    const distinct = new Set(own.map(({ viewId, eventId }) => `${viewId} ${eventId}`)).size;
    return { plays: watched.size, events: distinct, watchedMs: sum(watched), stalls: sum(stalls) };
  });
}

function number(viewId: string): number {
  return Number(viewId.replace('load-', ''));
}

/** Asked until they are the expected ones, or for three minutes. */
async function settledSums(env: string, expected: readonly Sums[]): Promise<Sums[]> {
  let found: Sums[] = [];
  await until(
    async () => {
      found = await Promise.all(ORGANIZATIONS.map((name) => sumsOf(env, name)));
      return JSON.stringify(found) === JSON.stringify(expected);
    },
    { what: 'the views', capMs: 180_000, everyMs: 2_000 },
  ).catch(() => undefined); // the figures say what is missing
  return found;
}

async function sumsOf(env: string, organization: string): Promise<Sums> {
  const sql = `SELECT count(*) AS plays, (SELECT count(*) FROM events) AS events, sum(watched_ms) AS watched, sum(stalls) AS stalls FROM plays`;
  let output = '';
  const write = (part: string): void => void (output += part);
  const argv = ['analytics', 'query', sql, '--organization', organization, '--env', env, '--json'];
  if ((await vdsctl(argv, { environment: {}, out: write, err: write })) !== 0) throw new Error(output);
  const [row] = (JSON.parse(output) as { rows: Record<string, unknown>[] }).rows;
  const value = (name: string): number => Number(row?.[name] ?? 0);
  return { plays: value('plays'), events: value('events'), watchedMs: value('watched'), stalls: value('stalls') };
}

function text(sums: Sums | undefined): string {
  return sums === undefined
    ? 'nothing'
    : `${sums.plays} plays, ${sums.events} events, ${sums.watchedMs} ms, ${sums.stalls} stalls`;
}

/** Processor seconds and the highest memory of processes, each read before it ends. */
function openCosts() {
  const total = { seconds: 0, peakMiB: 0 };
  return {
    total,
    read: ({ pid }: StackProcess): void => {
      const id = pid();
      if (id === undefined) return;
      const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      total.seconds += (Number(fields[11]) + Number(fields[12])) / TICKS;
      const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1];
      total.peakMiB = Math.max(total.peakMiB, Number(peak) / 1_024);
    },
  };
}

async function openEngine() {
  const adapter = clickhouseAdapter();
  if (!adapter) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'vds-bench-clickhouse-'));
  const port = await freePort();
  const child = spawn(adapter.python, [adapter.script, String(port), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return {
    env: { ANALYTICS_STORE: 'clickhouse', CLICKHOUSE_URL: `http://127.0.0.1:${port}` },
    close: async (): Promise<void> => {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
