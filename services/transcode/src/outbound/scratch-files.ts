/** Reading files of a scratch folder. */
import { readSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { Extents, ExtentsWalk } from '../domain/source/extents.ts';
import type { PacketReader } from '../domain/source/hidden-pictures.ts';

/** The longest header of a Matroska block: its track's number, its time, its flags (RFC 9559 §10.1). */
const blockHeader = 11;
const laced = 0x06;

/** The first `length` bytes of a file, or all of a shorter one. */
export async function readHead(path: string, length: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Serves a walk's read requests from a file: they are many and small, so that they are read synchronously, with pauses.
 */
export async function driveWalk(path: string, walk: ExtentsWalk): Promise<Extents> {
  const file = await open(path);
  try {
    let step = walk.next();
    for (let steps = 1; !step.done; steps++) {
      const { at, length } = step.value;
      const buffer = Buffer.alloc(length);
      step = walk.next(buffer.subarray(0, readSync(file.fd, buffer, 0, length, at)));
      if (steps % 1_000 === 0) await setImmediate();
    }
    return step.value;
  } finally {
    await file.close();
  }
}

/** Reads a small file; undefined where it does not exist. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Passes `work` a reader for the packets of a file at the positions that ffprobe reports: in mp4 the packet itself, in
 * Matroska its block. Reads synchronously: ffprobe has just read the packets, and there are hundreds of thousands.
 * @param work is given a reader for the packet at a byte; undefined where a block holds several packets
 */
export async function withPackets<T>(
  path: string,
  demuxer: 'mov' | 'matroska',
  work: (packetAt: (at: number) => PacketReader | undefined) => Promise<T>,
): Promise<T> {
  const file = await open(path);
  const read = (at: number, length: number): Buffer => {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(file.fd, buffer, 0, length, at));
  };
  const packetAt = (at: number): PacketReader | undefined => {
    if (demuxer === 'mov') return (offset, length) => read(at + offset, length);
    const head = read(at, blockHeader);
    const header = Math.clz32(head[0] ?? 0) - 23 + 3;
    if (((head[header - 1] ?? 0) & laced) !== 0) return undefined;
    return (offset, length) => read(at + header + offset, length);
  };
  try {
    return await work(packetAt);
  } finally {
    await file.close();
  }
}
