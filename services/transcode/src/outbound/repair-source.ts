/** Repairs a source's copy in the scratch folder, so that every tool reads what players show. */
import { open } from 'node:fs/promises';
import { closeEdits } from '../domain/source/open-edits.ts';

export async function repairSource(path: string): Promise<void> {
  await using file = await open(path, 'r+');
  const walk = closeEdits((await file.stat()).size);
  let step = walk.next();
  while (!step.done) {
    const { at, length } = step.value;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
    step = walk.next(buffer.subarray(0, bytesRead));
  }
  for (const { at, bytes } of step.value) await file.write(bytes, 0, bytes.length, at);
}
