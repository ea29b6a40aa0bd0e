/** Scratch folders: one per job, removed with it; those of killed processes are removed at the next start. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Removes folders of processes that have ended; in a container a predecessor may have had this process's own id.
 * @param root folder that contains all of them
 * @param name of the service
 */
export async function sweepScratch(root: string, name: string): Promise<void> {
  // Only what `withScratch` creates: the folder may contain others with a similar name.
  const ours = new RegExp(`^${prefixOf(name)}(\\d+)-\\w+$`);
  for (const entry of await readdir(root)) {
    const [, pid] = ours.exec(entry) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(root, entry), { recursive: true, force: true });
  }
}

function prefixOf(name: string): string {
  return `vds-${name}-`;
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Runs `work` with a new folder, which is removed when `work` settles. */
export async function withScratch<T>(root: string, name: string, work: (scratch: string) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(join(root, `${prefixOf(name)}${process.pid}-`));
  try {
    return await work(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}
