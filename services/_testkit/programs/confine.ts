/** The launcher that confines programs (confine.c of the chassis), compiled into the tools folder. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { find, run, toolsDir } from '../servers/command.ts';
import { step } from '../servers/progress.ts';

const SOURCE = fileURLToPath(new URL('../../_chassis/src/sandbox/confine.c', import.meta.url));

/** Path of the launcher of this source; null if it has to be compiled first. */
export function confineProgram(): string | null {
  const path = pathOf();
  return existsSync(path) ? path : null;
}

/** The source is in its name: another version of it is another program. */
function pathOf(): string {
  const hash = createHash('sha256').update(readFileSync(SOURCE)).digest('hex').slice(0, 12);
  return join(toolsDir(), `vds-confine-${hash}`);
}

/** Whether a C compiler is there. */
export function canCompile(): boolean {
  return find('gcc') !== null;
}

/** Compiles it; an interrupted run leaves nothing at its path. */
export async function installConfine(): Promise<void> {
  const path = pathOf();
  const part = `${path}.part-${process.pid}`;
  mkdirSync(toolsDir(), { recursive: true });
  await step('gcc vds-confine', () => run('gcc', ['-O2', '-Wall', '-static', '-s', '-o', part, SOURCE]));
  renameSync(part, path);
}
