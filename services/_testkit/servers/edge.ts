/** The edge of deploy/edge as a process: nginx with its configuration, a cache of its own, in front of playback. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nginx } from '../programs/nginx.ts';
import { isRoot } from './command.ts';
import { until } from '../until.ts';
import { freePort } from './free-port.ts';

const TEMPLATE = fileURLToPath(new URL('../../../deploy/edge/nginx.conf', import.meta.url));
export type Edge = Awaited<ReturnType<typeof startEdge>>;

/**
 * Starts it; `close` ends it and removes its cache.
 * @param playbackPort where playback answers on 127.0.0.1
 */
export async function startEdge(playbackPort: number) {
  const program = nginx();
  if (program === null) throw new Error('nginx is not installed: run `npm run servers -- install edge`.');
  const cache = mkdtempSync(join(tmpdir(), 'vds-edge-'));
  const [port, adminPort] = [await freePort(), await freePort()];
  const values: Record<string, string> = {
    PORT: `127.0.0.1:${port}`,
    ADMIN_PORT: `127.0.0.1:${adminPort}`,
    PLAYBACK: `127.0.0.1:${playbackPort}`,
    CACHE: cache,
    CACHE_SIZE: '1g',
  };
  const text = readFileSync(TEMPLATE, 'utf8').replaceAll(
    /\$\{([A-Z_]+)\}/g,
    (whole, name: string) => values[name] ?? whole,
  );
  const file = join(cache, 'nginx.conf');
  const log = join(cache, 'access.log');
  // A pipe of Node is a socket, which cannot be opened by its name.
  writeFileSync(file, `${isRoot() ? 'user root;\n' : ''}${text.replace('/dev/stdout', log)}`);
  const child = spawn(program, ['-c', file, '-e', 'stderr', '-g', 'daemon off;'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += String(data)));
  const exited = once(child, 'exit');
  const base = `http://127.0.0.1:${port}`;
  const admin = `http://127.0.0.1:${adminPort}`;
  await until(
    async () => {
      if (child.exitCode !== null) throw new Error(output);
      return (await fetch(`${admin}/livez`)).ok;
    },
    { what: 'nginx answers' },
  );
  return {
    base,
    pid: child.pid ?? 0,
    admin,
    port,
    /** Everything that it printed. */
    output: () => output + readFileSync(log, 'utf8'),
    close: async (): Promise<void> => {
      child.kill('SIGTERM');
      await exited;
      rmSync(cache, { recursive: true, force: true });
    },
  };
}
