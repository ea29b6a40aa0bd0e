/** Reading files of a scratch folder. */
import { open, readFile } from 'node:fs/promises';
import type { Extents, ExtentsWalk } from '../domain/source/extents.ts';

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
