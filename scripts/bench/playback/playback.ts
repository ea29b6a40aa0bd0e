/**
 * Viewers' bytes: playback alone and behind the edge, beside nginx in front of the same bucket and nginx with
 * `secure_link` on local files. The server has one core for itself, viewers and bucket have the others.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runningPid } from '@vds/testkit/servers/detached';
import { print } from '@vds/testkit/servers/progress';
import { stateFolder } from '@vds/testkit/servers/state-folder';
import { up } from '@vds/testkit/servers/up';
import { install } from '@vds/testkit/programs/install';
import { secondsOf } from '../api-cost.ts';
import type { Load, Loaded } from './load.ts';
import { INIT, MASTER, PLAYLIST, segments, startServers, TOKENS, type Server, type Servers } from './servers.ts';

const run = promisify(execFile);
const dir = stateFolder('servers');
const LOAD = fileURLToPath(new URL('load.ts', import.meta.url));
const SECONDS = 8;
const CONNECTIONS = 16;
const MANY_VIEWERS = 1_000;

type Measured = Loaded & { readonly gigabytes: number; readonly cpu: number };

export async function benchPlayback(): Promise<void> {
  await install(['nats', 's3', 'edge']);
  await up(dir, { which: ['nats', 's3', 'postgres'] });
  const servers = await startServers();
  try {
    await pin(servers);
    const cold = await measure(servers.edge, segments, CONNECTIONS, 1);
    print(`edge, cold: ${cold.requests} segments, ${cold.failed} failed`);
    await measure(servers.edge, segments, CONNECTIONS, 3, TOKENS);
    for (const name of ['playback', 'nginx → S3', 'edge', 'nginx secure_link'] as const)
      report(`${name}: segments of 4 MB`, await measure(servers[name], segments, CONNECTIONS, SECONDS, TOKENS));
    for (const name of ['playback', 'edge'] as const)
      for (const path of [MASTER, PLAYLIST])
        report(`${name}: ${path}`, await measure(servers[name], [path], CONNECTIONS, SECONDS, TOKENS));
    for (const name of ['playback', 'edge'] as const) await manyViewers(name, servers[name]);
  } finally {
    await servers.close();
  }
}

async function manyViewers(name: string, server: Server): Promise<void> {
  const before = memoryOf(server);
  const measured = measure(server, [PLAYLIST, INIT], MANY_VIEWERS, SECONDS, TOKENS);
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, memoryOf(server))), 200);
  const { p99, failed } = await measured;
  clearInterval(watch);
  const each = (most - before) / MANY_VIEWERS;
  print(
    `${name}: ${MANY_VIEWERS} viewers: p99 ${p99.toFixed(0)} ms, ${failed} failed, ${each.toFixed(0)} KiB a viewer`,
  );
}

function report(name: string, { requests, failed, gigabytes, cpu, p99 }: Measured): void {
  const each =
    gigabytes > 0.1 ? `${(cpu / gigabytes).toFixed(2)} s/GB` : `${((cpu * 1e6) / requests).toFixed(0)} µs each`;
  const rate = `${(requests / SECONDS).toFixed(0)} a second, ${((gigabytes * 8) / SECONDS).toFixed(2)} Gbit/s`;
  print(`${name.padEnd(44)} ${rate.padEnd(34)} cpu ${each}, p99 ${p99.toFixed(0)} ms, ${failed} failed`);
}

async function measure(server: Server, paths: readonly string[], viewers: number, seconds: number, tokens = 1) {
  const count = Math.min(tokens, 250); // as many addresses as fit into an argument
  const addresses = Array.from({ length: Math.max(count, paths.length) }, (_, n) =>
    server.address(paths[n % paths.length] ?? '', n % tokens),
  );
  const before = cpuOf(server);
  const argument: Load = { addresses, viewers, seconds };
  const options = { maxBuffer: 1e7 };
  const { stdout } = await run('taskset', ['-c', others(), process.execPath, LOAD, JSON.stringify(argument)], options);
  const loaded = JSON.parse(stdout) as Loaded;
  return { ...loaded, gigabytes: loaded.bytes / 1e9, cpu: cpuOf(server) - before };
}

/** The servers share core 0 (one is loaded at a time), the bucket is with the viewers. */
async function pin(servers: Servers): Promise<void> {
  const s3 = runningPid(dir, 's3');
  const pids = [servers.playback, servers.edge, servers['nginx → S3']].flatMap((server) => server.pids);
  for (const pid of pids) await run('taskset', ['-apc', '0', String(pid)]);
  if (s3 !== null) await run('taskset', ['-apc', others(), String(s3)]);
}

function others(): string {
  return '1-63';
}

function cpuOf({ pids }: Server): number {
  return pids.reduce((sum, pid) => sum + secondsOf(pid), 0);
}

/** Resident memory of the processes, in KiB. */
function memoryOf({ pids }: Server): number {
  return pids
    .map((pid) => `/proc/${pid}/status`)
    .filter((file) => existsSync(file)) // the loader of nginx's cache ends
    .map((file) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? 0))
    .reduce((sum, each) => sum + each, 0);
}
