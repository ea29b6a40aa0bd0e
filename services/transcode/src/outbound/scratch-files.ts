/** Reading files of a scratch folder. */
import { readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { readLeftFile } from '@vds/chassis/objects/left-file';
import { rejection } from '../domain/source/policy.ts';
import type { PacketReader } from '../domain/source/hidden-pictures.ts';
import type { Demuxer } from '../domain/source/sniff.ts';
import type { Walk } from '../domain/source/walk.ts';

/** The longest header of a Matroska block: its track's number, its time, its flags (RFC 9559 §10.1). */
const BLOCK_HEADER = 11;
const LACED = 0x06;
/** Elements or boxes at the top of a file: a day of fragments of a tenth of a second has fewer. */
const MAX_STEPS = 2_000_000;
/** Pictures and playlists, in bytes. */
const MAX_LEFT = 64 * 1024 * 1024;

/** The first `length` bytes of a file, or all of a shorter one. */
export async function readHead(path: string, length: number): Promise<Buffer> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
  return buffer.subarray(0, bytesRead);
}

/**
 * Serves a walk's read requests from a file: they are many and small, so that they are read synchronously, with pauses.
 * @throws AppError INVALID_ARGUMENT `source_corrupt` for a file that would keep it busy for hours
 */
export async function driveWalk<Result>(path: string, walk: Walk<Result>): Promise<Result> {
  await using file = await open(path);
  let step = walk.next();
  for (let steps = 1; !step.done; steps++) {
    if (steps > MAX_STEPS)
      throw rejection('source_corrupt', 'more elements than any video has', { stream: 'container' });
    step = walk.next(readAt(file.fd, step.value.at, step.value.length));
    if (steps % 1_000 === 0) await setImmediate();
  }
  return step.value;
}

/** Up to `length` bytes from a position on; fewer at the end of the file. */
function readAt(fd: number, at: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(fd, buffer, 0, length, at));
}

/** Reads a small file; undefined if it does not exist. */
export async function readIfExists(path: string): Promise<Buffer | undefined> {
  try {
    return await readLeftFile(path, MAX_LEFT);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Passes `work` a reader for the packets of a file at the positions that ffprobe reports: in mp4 the packet itself, in
 * Matroska its block. Reads synchronously: ffprobe has just read the packets, and there are hundreds of thousands.
 * @param work is given a reader for the packet at a byte; undefined if a block holds several packets
 */
export async function withPackets<T>(
  path: string,
  demuxer: Demuxer,
  work: (packetAt: (at: number) => PacketReader | undefined) => Promise<T>,
): Promise<T> {
  await using file = await open(path);
  const packetAt = (at: number): PacketReader | undefined => {
    if (demuxer === 'mov') return (offset, length) => readAt(file.fd, at + offset, length);
    const head = readAt(file.fd, at, BLOCK_HEADER);
    const header = Math.clz32(head[0] ?? 0) - 23 + 3;
    if (((head[header - 1] ?? 0) & LACED) !== 0) return undefined;
    return (offset, length) => readAt(file.fd, at + header + offset, length);
  };
  return await work(packetAt);
}
