/** Cuts a long source into pieces by copying, so that each piece can be encoded by another worker. */
import { cutArguments, pieceName, sourceName } from '../plan/encode-arguments.ts';
import type { TitlePlan } from '../plan/title-plan.ts';

export type CutPorts = {
  readonly fetch: (name: string) => Promise<void>;
  readonly copy: (args: readonly string[]) => Promise<void>;
  /**
   * Stores a file of the scratch folder under a name below the job's folder, and removes it from the scratch folder.
   */
  readonly move: (file: string, name: string) => Promise<void>;
  readonly progress: (percent: number) => void;
};

export async function cutTitle(ports: CutPorts, plan: TitlePlan): Promise<void> {
  await ports.fetch(sourceName);
  const { video, demuxer } = plan.facts;
  for (const piece of plan.pieces) {
    await ports.copy(cutArguments(video, piece, demuxer, sourceName, pieceName));
    await ports.move(pieceName, copyName(piece.index));
    ports.progress((100 * (piece.index + 1)) / plan.pieces.length);
  }
}

/** Name of a piece's copy below the folder of the cutting job. */
export function copyName(index: number): string {
  return `piece-${index}`;
}
