/** Loopback ports that lead into the cluster by `kubectl port-forward`, reopened whenever their pod goes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@vds/testkit/servers/free-port';
import { until } from '@vds/testkit/until';
import { release } from './release.ts';

export type Forward = {
  readonly port: number;
  /** Waits until the forward works: kubectl only notices at its next use that the pod is gone. */
  readonly reconnect: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** How long kubectl takes to close a connection to a pod that is gone. */
const CLOSE_MS = 500;

/**
 * Opens a port on loopback.
 * @param resource `svc/<name>` or `pod/<name>`
 * @param to the target port
 */
export async function openForward(resource: string, to: number): Promise<Forward> {
  const port = await freePort();
  let ended = false;
  let child: ChildProcess | undefined;
  let lastError = '';
  const running = (async () => {
    while (!ended) {
      const args = ['--namespace', release.namespace, 'port-forward', '--address', '127.0.0.1', resource];
      child = spawn('kubectl', [...args, `${port}:${to}`], { stdio: ['ignore', 'ignore', 'pipe'] });
      child.stderr?.on('data', (chunk: Buffer) => (lastError = chunk.toString().trim()));
      await once(child, 'close');
      if (!ended) await sleep(200);
    }
  })();
  const close = async (): Promise<void> => {
    ended = true;
    child?.kill();
    await running;
  };
  const reconnect = async (): Promise<void> =>
    void (await until(() => isConnected(port), {
      capMs: 60_000,
      everyMs: 100,
      what: `a connection to ${resource}:${to}`,
    }));
  try {
    await reconnect();
  } catch (error) {
    await close();
    throw new Error(`${resource}:${to} cannot be reached: ${lastError}`, { cause: error });
  }
  return { port, reconnect, close };
}

function isConnected(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => setTimeout(() => end(true), CLOSE_MS));
    socket.once('close', () => end(false)).once('error', () => end(false));
    socket.resume();
  });
}
