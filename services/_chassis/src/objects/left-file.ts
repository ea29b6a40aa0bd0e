/**
 * What a program left in its scratch folder is opened without following links, as a regular file of a bounded size alone
 * (design, pipeline): a link would be followed with the worker's rights, a pipe would be waited for, for ever.
 */
import { constants } from 'node:fs';
import { open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { AppError } from '../errors.ts';

/**
 * Opens it for reading.
 * @param maxBytes larger ones are refused
 * @throws AppError INTERNAL with reason `tool_failed` for a link, a pipe or anything else that is no file, one that has
 *   several names, or one that is too large; ENOENT where there is none
 */
export async function openLeftFile(path: string, maxBytes = Infinity): Promise<{ handle: FileHandle; size: number }> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      // ELOOP: a link; ENXIO: a socket.
      throw error.code === 'ELOOP' || error.code === 'ENXIO' ? refusal(path, 'is no file') : error;
    },
  );
  try {
    const status = await handle.stat();
    if (!status.isFile() || status.nlink !== 1) throw refusal(path, 'is no file of its own');
    if (status.size > maxBytes) throw refusal(path, `has ${status.size} bytes, more than ${maxBytes}`);
    return { handle, size: status.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function refusal(path: string, why: string): AppError {
  return new AppError('INTERNAL', `what a program left at ${path} ${why}`, { reason: 'tool_failed' });
}

/** Its bytes. @throws as `openLeftFile` */
export async function readLeftFile(path: string, maxBytes: number): Promise<Buffer> {
  const { handle } = await openLeftFile(path, maxBytes);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Writes a new file in a scratch folder: what a program left under its name, such as a link, is removed, not followed. */
export async function writeFreshFile(path: string, data: Buffer | string): Promise<void> {
  await rm(path, { force: true, recursive: true });
  await writeFile(path, data, { flag: 'wx' });
}
