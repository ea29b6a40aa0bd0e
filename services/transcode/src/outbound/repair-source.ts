/** Repairs a source's copy in the scratch folder, so that every tool reads what players show. */
import { open } from 'node:fs/promises';
import { padHoles, type Patch } from '../domain/source/holes.ts';
import { closeEdits } from '../domain/source/open-edits.ts';
import { SNIFF_LENGTH, sniff } from '../domain/source/sniff.ts';
import type { ByteRange } from '../domain/source/source-index.ts';
import { driveWalk, readHead } from './scratch-files.ts';

/**
 * @param ranges what is there of the source
 * @returns where the first hole of a file of fragments or clusters begins; undefined where there is none
 */
export async function repairSource(path: string, ranges: readonly ByteRange[]): Promise<number | undefined> {
  await using file = await open(path, 'r+');
  const { size } = await file.stat();
  const sniffed = sniff(await readHead(path, SNIFF_LENGTH));
  const demuxer = sniffed.kind === 'container' ? sniffed.demuxer : undefined;
  const padding = demuxer ? await driveWalk(path, padHoles(demuxer, ranges, size)) : [];
  await write(file, padding);
  await write(file, await driveWalk(path, closeEdits(size)));
  return padding[0]?.at;
}

async function write(file: Awaited<ReturnType<typeof open>>, patches: readonly Patch[]): Promise<void> {
  for (const { at, bytes } of patches) await file.write(bytes, 0, bytes.length, at);
}
