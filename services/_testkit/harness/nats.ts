/** A test's own nats-server, which it may kill, restart and wipe. */
import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../servers/free-port.ts';
import { readServers } from '../servers/servers-file.ts';
import { until } from '../until.ts';

export type TestNats = {
  /** nats://127.0.0.1:<port>; the port stays the same over every restart. */
  url: string;
  /** The folder of its JetStream store. */
  store: string;
  /** Stops the server gracefully; what it stored stays for `restart`. */
  stop: () => Promise<void>;
  /** Kills the server by SIGKILL, like a power cut. */
  kill9: () => Promise<void>;
  /** Stops the server (if it runs) and starts it with what it stored. */
  restart: () => Promise<void>;
  /** Kills the server by SIGKILL, deletes its JetStream store and starts it empty. */
  wipe: () => Promise<void>;
  /**
   * Stops the server, copies its JetStream store and starts it again.
   * @param part a stream, or only its messages (without the positions of its consumers), as `GAMMA` or `GAMMA/msgs`
   * @returns rolls the server, or this part, back: ends it (all of it by SIGKILL), and starts it with a copy of the
   * copy
   */
  copyStore: (part?: string) => Promise<() => Promise<void>>;
  /** Stops the server and deletes its folder: the last call. */
  remove: () => Promise<void>;
};

/**
 * Starts a nats-server with JetStream (every write synced) in a temporary folder.
 * @param config lines added to its configuration, for example an `authorization { … }` block
 */
export async function testNats({ config = '' }: { config?: string } = {}): Promise<TestNats> {
  const { binary } = readServers().nats;
  const dir = mkdtempSync(join(tmpdir(), 'test-nats-'));
  const store = join(dir, 'store');
  const file = join(dir, 'nats.conf');
  const [port, monitor] = [await freePort(), await freePort()];
  const lines = [
    `listen: "127.0.0.1:${port}"`,
    `http: "127.0.0.1:${monitor}"`,
    'server_name: test',
    `jetstream { store_dir: ${JSON.stringify(store)}, sync_interval: always }`,
    config,
  ];
  writeFileSync(file, lines.join('\n'), { mode: 0o600 });
  let child: ChildProcess | null = null;
  const start = (): Promise<void> => spawnServer(binary, file, monitor, (server) => (child = server));
  const end = (signal: NodeJS.Signals): Promise<void> => endChild(child, signal);
  const restart = async (signal: NodeJS.Signals, whileStopped: () => void): Promise<void> => {
    await end(signal);
    whileStopped();
    await start();
  };
  const killWithUs = (): void => void child?.kill('SIGKILL');
  const remove = async (): Promise<void> => {
    await end('SIGKILL');
    process.off('exit', killWithUs);
    rmSync(dir, { recursive: true, force: true });
  };

  process.once('exit', killWithUs); // a test that crashes must not leave its server running
  try {
    await start();
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    url: `nats://127.0.0.1:${port}`,
    store,
    stop: async () => await end('SIGTERM'),
    kill9: async () => await end('SIGKILL'),
    restart: () => restart('SIGTERM', () => {}),
    wipe: () => restart('SIGKILL', () => rmSync(store, { recursive: true, force: true })),
    copyStore: async (part) => {
      const copied = part === undefined ? store : join(store, 'jetstream', '$G', 'streams', part);
      const copy = mkdtempSync(join(dir, 'copy-'));
      await restart('SIGTERM', () => cpSync(copied, copy, { recursive: true }));
      // The rest of the store must be as it was.
      return () =>
        restart(part === undefined ? 'SIGKILL' : 'SIGTERM', () => {
          rmSync(copied, { recursive: true, force: true });
          cpSync(copy, copied, { recursive: true });
        });
    },
    remove,
  };
}

/** Starts the program and waits until it is ready; throws the end of its log if it exits before. */
async function spawnServer(binary: string, file: string, monitor: number, onChild: (child: ChildProcess) => void) {
  const server = spawn(binary, ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  onChild(server);
  let log = '';
  server.stderr.on('data', (data: Buffer) => (log = (log + data).slice(-4000)));
  server.once('error', (error) => (log += String(error)));
  const state = async () =>
    server.exitCode !== null || server.pid === undefined ? 'dead' : (await healthy(monitor)) && 'ready';
  const seen = await until(state, { what: 'nats-server is ready', everyMs: 10 });
  if (seen === 'dead') throw new Error(`nats-server did not start: ${log}`);
}

async function healthy(monitor: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${monitor}/healthz`, { signal: AbortSignal.timeout(2_000) });
  await response.arrayBuffer();
  return response.ok;
}

async function endChild(child: ChildProcess | null, signal: NodeJS.Signals): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill(signal);
  await closed;
}
