/** One demo at a time in one checkout: a second one would end the services of the first. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { born, runningPid } from '@vds/testkit/servers/detached';
import { writePrivate } from '@vds/testkit/servers/settings';

/** Notes this process in `dir`, or throws one sentence when another demo runs there. Returns what takes the note away. */
export function claimDemo(dir: string): () => void {
  mkdirSync(dir, { recursive: true, mode: 0o755 });
  const running = runningPid(dir, 'demo');
  if (running !== null)
    throw new Error(`A demo is already running here (process ${running}); end it with Ctrl-C first.`);
  writePrivate(join(dir, 'demo.pid'), JSON.stringify({ pid: process.pid, born: born(process.pid) }));
  return () => rmSync(join(dir, 'demo.pid'), { force: true });
}
