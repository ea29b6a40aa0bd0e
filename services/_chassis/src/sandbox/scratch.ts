/** Scratch folders: one for each unit of work, gone with it; what a killed process left is swept at the next start. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Removes folders of processes that no longer live; in a container the own number is a predecessor's too.
 * @param root folder that all of them lie in
 * @param name of the service
 */
export async function sweepScratch(root: string, name: string): Promise<void> {
  // Nothing but what `withScratch` makes: the folder may hold others' whose names begin alike.
  const ours = new RegExp(`^${prefixOf(name)}(\\d+)-\\w+$`);
  for (const entry of await readdir(root)) {
    const [, pid] = ours.exec(entry) ?? [];
    if (pid !== undefined && !lives(Number(pid))) await rm(join(root, entry), { recursive: true, force: true });
  }
}

function prefixOf(name: string): string {
  return `vds-${name}-`;
}

function lives(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Runs `work` with a folder of its own, which is removed when `work` has ended, however it ended. */
export async function withScratch<T>(root: string, name: string, work: (scratch: string) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(join(root, `${prefixOf(name)}${process.pid}-`));
  try {
    return await work(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}
