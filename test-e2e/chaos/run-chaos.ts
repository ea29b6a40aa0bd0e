/**
 * One run: a stack with two replicas where useful, clients, and faults. All choices follow from the seed. At its end
 * every fault is undone, the work may finish, and the history is judged.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRoot } from '@vds/testkit/servers/command';
import { print, step } from '@vds/testkit/servers/progress';
import type { Servers } from '@vds/testkit/servers/servers-file';
import { stateFolder } from '@vds/testkit/servers/state-folder';
import { answerStatus } from '@vds/testkit/origin/routes';
import { addStreamAdmin } from '@vds/testkit/stack/stream-admin';
import { vdsctl } from '@vds/vdsctl/inbound/vdsctl';
import { pause } from '@vds/chassis/async';
import { randomOf } from '@vds/testkit/random';
import { until } from '@vds/testkit/until';
import { openHost, type HostTarget } from '../harness/host/host.ts';
import type { Violation } from '../harness/judge/final-video.ts';
import { checkRun, type Final } from './checker.ts';
import { runClient } from './clients.ts';
import { openHistory, type Entry, type History } from './history.ts';
import { heal, missingFaults, runNemesis, type NemesisDeps } from './nemesis.ts';
import { memoryOf, observe } from './observe.ts';
import { faultKinds, planFaults, type FaultKind } from './plan-faults.ts';
import { openServers } from './servers.ts';
import { silentClip, spokenClip } from './short-clips.ts';
import { storedViews } from './views.ts';

export type ChaosOptions = {
  readonly seed: number;
  readonly minutes: number;
  /** Running servers that nothing else uses during the run. */
  readonly servers: Servers;
  /** Keeps the folder with the history and the logs. */
  readonly keep?: boolean;
  /** Ends the run early: everything is undone and removed. */
  readonly signal?: AbortSignal;
};
export type ChaosResult = {
  readonly violations: readonly Violation[];
  readonly history: readonly Entry[];
  readonly final: Final;
  /** The folder of the history (`history.ndjson`) and the logs (`logs/`). */
  readonly folder: string;
};

const CLIENTS = 4;
const organizations = Array.from({ length: CLIENTS }, (_, client) => `Client ${client}`);
/** Two cores encode this many short clips a second besides everything else. */
const VIDEOS_A_SECOND = 0.15;
const FIRST_VIDEOS = 4;
/** A run goes on for so much longer while no video has been ready for anybody to watch: without views it shows little. */
const FIRST_VIEW_MS = 120_000;
const SAMPLE_MS = 2_000;
const SAMPLE_VIEWS_MS = 20_000;
/** From this length on, view reports are collected as long as in production. */
const LONG_MINUTES = 5;

/** Shorter than in `harness/short-timeouts.ts`: a run sees the end of every retry and every sweep. */
const environment = {
  captions: {
    CAPTION_LANGUAGES: 'en,es',
    TIME_SCALE: 'retryDelays=500ms+1s+2s,garbageAfter=8s,purgeAgain=8s',
  },
  ingest: { TIME_SCALE: 'purgeAgain=8s' },
  metadata: { TIME_SCALE: 'purgeAgain=8s' },
  playback: { TIME_SCALE: 'gateFresh=2s,gateStale=20s' },
};

/** Runs it, and removes everything that it started. @throws the reason of the signal */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { seed, minutes, servers: given, keep = false, signal = new AbortController().signal } = options;
  const folder = stateFolder('chaos', `seed-${seed}`);
  unmount(join(folder, 'scratch')); // a killed run has left it
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  let isKept = true;
  await using opened = new AsyncDisposableStack();
  opened.defer(async () => (isKept ? undefined : rm(folder, { recursive: true, force: true })));
  const scratch = mountScratch(join(folder, 'scratch'));
  if (scratch !== undefined) opened.defer(() => unmount(scratch));
  signal.throwIfAborted();
  const servers = await openServers(given);
  opened.defer(servers.close);
  opened.defer(servers.heal);
  const target = await step('services', () =>
    openHost({
      suffix: 'chaos',
      servers: servers.proxied,
      replicas: { gateway: 2, catalog: 2, transcode: 2, ingest: 2 },
      env: {
        ...environment,
        ...(minutes >= LONG_MINUTES && { analytics: { TIME_SCALE: 'flushEvery=60s' } }),
        transcode: { TIME_SCALE: 'purgeAgain=8s', ...(scratch && { SCRATCH_DIR: scratch }) },
      },
    }),
  );
  opened.defer(target.close);
  signal.throwIfAborted();
  await addStreamAdmin(given, target.stack.name);
  const history = openHistory(join(folder, 'history.ndjson'));
  opened.defer(history.close);
  const totalMs = minutes * 60_000;
  const { partners } = await disturb(
    target,
    { stack: target.stack, direct: given, servers, history, scratch, interrupted: signal },
    seed,
    totalMs,
  );
  signal.throwIfAborted();
  const final = await step('the end of all work', () =>
    observe({ target, direct: given, history: history.entries, partners, organizations }),
  );
  watchProcesses(target, history);
  const violations = checkRun(history.entries, final);
  isKept = keep || violations.length > 0;
  if (isKept) await cp(join(target.stack.dir, 'logs'), join(folder, 'logs'), { recursive: true });
  return { violations, history: history.entries, final, folder };
}

/** Clients and faults until the time is over; then every fault is undone. */
async function disturb(target: HostTarget, nemesis: NemesisDeps, seed: number, totalMs: number) {
  const { history, scratch, interrupted } = nemesis;
  const missing = missingFaults(scratch);
  const skipped = Object.entries(missing) as [FaultKind, string][];
  for (const [fault, reason] of skipped) history.add({ kind: 'skipped', fault, reason });
  const planned = planFaults(
    seed,
    totalMs,
    faultKinds.filter((kind) => missing[kind] === undefined),
  );
  const over = new AbortController();
  const stop = AbortSignal.any([over.signal, interrupted]);
  const partners = [];
  for (const name of organizations) partners.push(await target.newPartner(name));
  const deps = await clientDeps(target, history, stop);
  const clients = Promise.all(
    partners.map(({ key }, client) => runClient({ ...deps, client, key, random: randomOf(seed * 1_000 + client) })),
  );
  const watching = setInterval(() => watchProcesses(target, history), SAMPLE_MS);
  const sampling = sampleViews(target, history, over.signal);
  const isWatched = (): boolean =>
    history.entries.some((entry) => entry.kind === 'call' && entry.operation === 'watch');
  const watched = { what: 'a first view', capMs: FIRST_VIEW_MS, signal: stop };
  const time = sleep(totalMs, undefined, { signal: stop })
    .then(() => until(isWatched, watched))
    .catch(() => undefined); // it is over earlier, or without a view, which the caller judges
  try {
    await Promise.all([clients, runNemesis(nemesis, planned, stop), time.then(() => over.abort())]);
  } finally {
    over.abort();
    clearInterval(watching);
    await Promise.all([clients, sampling]);
    watchProcesses(target, history);
    await step('undoing every fault', () => (interrupted.aborted ? nemesis.servers.heal() : heal(nemesis)));
  }
  return { partners };
}

/** What the warehouse has from time to time, as long as it can be asked. */
async function sampleViews(target: HostTarget, history: History, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await pause(SAMPLE_VIEWS_MS, over);
    const found = await storedViews(target, organizations).catch(() => undefined); // a fault: the next time
    if (found) history.add({ kind: 'stored', atMs: history.now(), views: found.map(({ view }) => view) });
  }
}

async function clientDeps(target: HostTarget, history: History, stop: AbortSignal) {
  const { origin, serve, mint, site } = target;
  origin.route('/missing.mp4', answerStatus(404));
  const sources = {
    silent: await serve(await silentClip()),
    spoken: await serve(await spokenClip()),
    missing: origin.url('/missing.mp4'),
  };
  let submissions = 0;
  const maySubmit = (): boolean => {
    const allowed = FIRST_VIDEOS + (history.now() / 1_000) * VIDEOS_A_SECOND;
    return submissions < allowed && ++submissions > 0;
  };
  const env = join(target.stack.dir, 'vdsctl.env');
  const rerun = (video: string, language: string): Promise<number> => {
    const why = ['--actor', 'chaos', '--reason', 'chaos', '--env', env];
    return vdsctl(['captions', 'rerun', video, '--language', language, ...why], {
      environment: {},
      out: drop,
      err: drop,
    });
  };
  return { history, stop, sources, mint, rerun, maySubmit, gateways: await site.urls('gateway') };
}

function drop(): void {}

/** Samples the memory, and restarts what ended by itself, which the history records. */
function watchProcesses(target: HostTarget, history: History): void {
  memoryOf(target, history.now()).forEach(history.add);
  for (const one of target.stack.processes) {
    const log = one.crash();
    if (log === null) continue;
    // A port that was free for a moment may belong to another program of this machine now.
    if (!log.includes('EADDRINUSE')) history.add({ kind: 'crash', atMs: history.now(), process: one.name, log });
    print(`${one.name} ended by itself`);
    one.start();
  }
}

/** A file system of 64 MB for scratch folders, which a fault can fill; undefined if it cannot be mounted. */
function mountScratch(folder: string): string | undefined {
  if (!isRoot()) return undefined;
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    return undefined; // a container may not mount
  }
}

function unmount(folder: string): void {
  spawnSync('umount', ['-l', folder], { stdio: 'ignore' }); // it fails where nothing is mounted
}
