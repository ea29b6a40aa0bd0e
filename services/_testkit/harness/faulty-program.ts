/** A program that waits for a while, or that the kernel seems to kill, as it does when memory is short. */
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a script that runs `program`; after `killFor` it kills itself with SIGKILL for that many seconds. */
export function faultyProgram(program: string, folder: string) {
  const path = join(folder, `faulty-${program}`);
  const held = join(folder, `${program}-is-held`);
  const real = execFileSync('/bin/sh', ['-c', 'command -v "$1"', 'sh', program], { encoding: 'utf8' }).trim();
  const killUntil = (second: number): void => {
    const kill = `if [ "$(date +%s)" -lt ${second} ]; then kill -KILL $$; fi`;
    const wait = `while [ -e ${held} ]; do sleep 0.05; done`;
    writeFileSync(path, `#!/bin/sh\n${kill}\n${wait}\nexec ${real} "$@"\n`);
    chmodSync(path, 0o755);
  };
  killUntil(0);
  return {
    path,
    killFor: (seconds: number): void => killUntil(Math.ceil(Date.now() / 1_000) + seconds),
    /** From now on the program waits. */
    hold: () => {
      writeFileSync(held, '');
      return {
        /** How many of its processes there are: all of them wait. */
        count: () => countProcesses(path),
        release: (): void => rmSync(held, { force: true }),
      };
    },
  };
}

async function countProcesses(path: string): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return commands.filter((command) => command.startsWith(`/bin/sh\0${path}\0`)).length;
}
