/** Copies all pieces of a long source whose parts cannot be read by themselves, so that each can be encoded by another worker. */
import { pieceName, sourceName } from '../plan/encode-arguments.ts';
import type { EncodePlan } from '../plan/encode-plan.ts';
import { copyOut } from './copy-piece.ts';
import type { EncodePorts } from './encode-ports.ts';
import type { CutSource } from '../plan/job-results.ts';

export async function cutSource(ports: EncodePorts, plan: EncodePlan): Promise<CutSource> {
  await ports.fetch(sourceName);
  for (const piece of plan.pieces) {
    await copyOut(ports, plan, piece);
    await ports.move(pieceName, copyName(piece.index));
    ports.progress((100 * (piece.index + 1)) / plan.pieces.length);
  }
  return { kind: 'cut', folder: ports.folder };
}

/** Name of a piece's copy below the folder of the cutting job. */
export function copyName(index: number): string {
  return `piece-${index}`;
}
