/** A program that the kernel seems to kill for a while, as it does when memory is short. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes a script that runs `program`; after `killFor` it kills itself with SIGKILL for that many seconds. */
export function killableProgram(program: string, folder: string) {
  const path = join(folder, 'killable', program);
  mkdirSync(dirname(path), { recursive: true });
  const real = execFileSync('/bin/sh', ['-c', 'command -v "$1"', 'sh', program], { encoding: 'utf8' }).trim();
  const killUntil = (second: number): void => {
    const kill = `if [ "$(date +%s)" -lt ${second} ]; then kill -KILL $$; fi`;
    writeFileSync(path, `#!/bin/sh\n${kill}\nexec ${real} "$@"\n`);
    chmodSync(path, 0o755);
  };
  killUntil(0);
  return { path, killFor: (seconds: number): void => killUntil(Math.ceil(Date.now() / 1_000) + seconds) };
}
