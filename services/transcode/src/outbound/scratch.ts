/** Scratch folders: one for each unit of work, gone with it; what a killed process left is swept at the next start. */
import { mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Extents, ExtentsWalk } from '../domain/source/extents.ts';

const prefix = 'vds-transcode-';

const lives = (pid: number): boolean => {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Removes folders of processes that no longer live; in a container the own number is a predecessor's too. */
export const sweepScratch = async (root: string): Promise<void> => {
  const names = (await readdir(root)).filter((name) => name.startsWith(prefix));
  for (const name of names)
    if (!lives(Number(name.slice(prefix.length).split('-')[0])))
      await rm(join(root, name), { recursive: true, force: true });
};

/** Runs `work` with a folder of its own. */
export const withScratch = async <T>(root: string, work: (scratch: string) => Promise<T>): Promise<T> => {
  const scratch = await mkdtemp(join(root, `${prefix}${process.pid}-`));
  try {
    return await work(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
};

/** The first `length` bytes of a file, or all of a shorter one. */
export const readHead = async (path: string, length: number): Promise<Buffer> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** Answers a walk's wishes for bytes out of a file. */
export const driveWalk = async (path: string, walk: ExtentsWalk): Promise<Extents> => {
  const file = await open(path);
  try {
    let step = walk.next();
    while (!step.done) {
      const { at, length } = step.value;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
      step = walk.next(buffer.subarray(0, bytesRead));
    }
    return step.value;
  } finally {
    await file.close();
  }
};

/** A whole small file; undefined where there is none. */
export const readIfThere = async (path: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};
