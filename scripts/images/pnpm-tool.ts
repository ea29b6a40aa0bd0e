/** pnpm as one file, for a base image that has Node but no npm. Only pnpm for Linux runs in the image. */
import { closeSync, openSync, readSync, realpathSync } from 'node:fs';
import { platform } from 'node:os';
import { capture } from './run-program.ts';

/** The program that npx installs; undefined if it cannot run in the image. */
export async function findPnpm(): Promise<string | undefined> {
  if (platform() !== 'linux') return undefined;
  const words = ['--yes', '--package', 'pnpm@12.21.0', '--call', 'command -v pnpm'];
  const path = realpathSync((await capture('npx', words)).trim());
  return isProgram(path) ? path : undefined;
}

function isProgram(path: string): boolean {
  const head = Buffer.alloc(4);
  const file = openSync(path, 'r');
  try {
    readSync(file, head, 0, 4, 0);
  } finally {
    closeSync(file);
  }
  return head.equals(Buffer.from([0x7f, 0x45, 0x4c, 0x46]));
}
