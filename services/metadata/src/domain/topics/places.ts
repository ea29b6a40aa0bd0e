/** All texts about a video and in it, as pieces with their origin. */
import type { Description, ScreenText, Transcript, Where } from '../model.ts';

export type Piece = { readonly where: Where; readonly text: string; readonly atMs?: number };

/** The weight of a word in each place. */
export const weights: Readonly<Record<Where, number>> = { title: 4, tags: 3, summary: 2, screen: 1.5, transcript: 1 };

const MAX_QUOTED = 120;

export function gatherPieces(
  { title, summary, tags }: Description,
  transcript: Transcript | undefined,
  screen: readonly ScreenText[],
): readonly Piece[] {
  return [
    { where: 'title', text: title },
    ...tags.map((text) => ({ where: 'tags' as const, text })),
    ...(summary === undefined ? [] : [{ where: 'summary' as const, text: summary }]),
    ...screen.map(({ text, startMs }) => ({ where: 'screen' as const, text, atMs: startMs })),
    ...spokenPieces(transcript),
  ];
}

/** What is spoken, or its translation. */
export function spokenPieces(transcript: Transcript | undefined): readonly Piece[] {
  return (transcript?.sentences ?? []).map(({ text, startMs }) => ({ where: 'transcript', text, atMs: startMs }));
}

/** The text as evidence shows it: short. */
export function quote(text: string): string {
  const letters = [...text];
  return letters.length <= MAX_QUOTED ? text : `${letters.slice(0, MAX_QUOTED - 1).join('')}…`;
}
