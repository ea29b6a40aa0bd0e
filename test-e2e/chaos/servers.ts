/** The servers of a run: each can be killed and started again, muted, and JetStream can be rolled back to a copy. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stopDetached } from '@vds/testkit/servers/detached';
import { startNats, stopNats, wipeNats } from '@vds/testkit/servers/nats';
import { startOpenSearch } from '@vds/testkit/servers/opensearch';
import { startPostgres } from '@vds/testkit/servers/postgres';
import { openProxies } from '@vds/testkit/servers/proxied';
import { startS3 } from '@vds/testkit/servers/s3';
import type { Servers } from '@vds/testkit/servers/servers-file';
import { openSettings, type Settings } from '@vds/testkit/servers/settings';
import { status } from '@vds/testkit/servers/up';
import { until } from '@vds/testkit/until';

const starts = { postgres: startPostgres, nats: startNats, s3: startS3, opensearch: startOpenSearch };
export type ServerName = keyof typeof starts;
/** The servers whose connections a fault may mute. */
export const mutable = ['postgres', 'nats', 's3'] as const;
export type RunServers = Awaited<ReturnType<typeof openServers>>;

/** @param given running servers with their folder; nothing else may use them during the run */
export async function openServers(given: Servers) {
  const { dir } = given.nats;
  const settings = await openSettings(dir, false);
  const { proxied, proxies, forwardTo, close } = await openProxies(given);
  /** A server that was killed may leave its port, or the memory of its children, for a moment. */
  const start = async (name: ServerName): Promise<void> => {
    const started = async (): Promise<boolean> => {
      await starts[name](dir, settings);
      return true;
    };
    await until(started, { what: `${name} starts again`, capMs: 120_000, everyMs: 500 });
    forwardTo(settings.ports);
  };
  return {
    proxied,
    proxies,
    start,
    kill: (name: ServerName): Promise<boolean> => stopDetached(dir, name, 'SIGKILL'),
    wipeJetStream: (): Promise<void> => wipeNats(dir, settings),
    /** Returns the function that brings the copy back. */
    copyJetStream: () => copyJetStream(dir, settings),
    /** Starts stopped servers. */
    heal: async (): Promise<void> => {
      const running = status(dir);
      const down = (Object.keys(starts) as ServerName[]).filter((name) => running[name] === null);
      for (const name of down) await start(name);
      for (const name of mutable) proxies[name].passNewConnections();
    },
    close,
  };
}

/** Copies the store of the stopped server; the returned function brings the copy back. */
async function copyJetStream(dir: string, settings: Settings): Promise<() => Promise<void>> {
  const [store, copy] = [join(dir, 'nats', 'store'), join(dir, 'nats', 'store-copy')];
  await stopNats(dir);
  rmSync(copy, { recursive: true, force: true });
  cpSync(store, copy, { recursive: true });
  await startNats(dir, settings);
  return async () => {
    await stopNats(dir, 'SIGKILL');
    rmSync(store, { recursive: true, force: true });
    cpSync(copy, store, { recursive: true });
    rmSync(copy, { recursive: true, force: true });
    await startNats(dir, settings);
  };
}
