/** One demo at a time per checkout: a second one would stop the services of the first. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runningPid } from '@vds/testkit/servers/detached';
import { born } from '@vds/testkit/servers/process-table';
import { writePrivate } from '@vds/testkit/servers/settings';

/**
 * Registers this process in `dir`, or throws one sentence if another demo runs there. Returns the function that
 * unregisters it.
 */
export function claimDemo(dir: string): () => void {
  mkdirSync(dir, { recursive: true, mode: 0o755 });
  const running = runningPid(dir, 'demo');
  if (running !== null)
    throw new Error(`A demo is already running here (process ${running}); end it with Ctrl-C first.`);
  writePrivate(join(dir, 'demo.pid'), JSON.stringify({ pid: process.pid, born: born(process.pid) }));
  return () => rmSync(join(dir, 'demo.pid'), { force: true });
}
