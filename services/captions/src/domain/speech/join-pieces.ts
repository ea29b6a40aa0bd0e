/** Joins the pieces of words as Whisper writes them: " l" "'arbitre", " 3" ".5", " Champions" "-League". */
import { writtenTogether } from '../layout/atoms.ts';
import type { Word } from '../words.ts';

/**
 * Words without leading spaces. A piece continues the word before where no space precedes it, unless its engine writes no
 * spaces at all; pieces of scripts without spaces stay apart, as lines may break between them.
 * @param pieces in order, with their leading spaces
 */
export function joinPieces(pieces: readonly Word[]): Word[] {
  const spaced = pieces.some(({ text }) => text.startsWith(' ') || writtenTogether(text, text));
  const out: Word[] = [];
  for (const piece of pieces) {
    const before = out.at(-1);
    const text = piece.text.trim();
    if (text === '') continue;
    if (before !== undefined && spaced && !piece.text.startsWith(' ') && continues(before.text, text)) {
      out[out.length - 1] = {
        text: before.text + text,
        startMs: before.startMs,
        endMs: Math.max(before.endMs, piece.endMs),
        confidence: leastOf(before.confidence, piece.confidence),
      };
    } else out.push({ ...piece, text });
  }
  return out;
}

function continues(before: string, text: string): boolean {
  return !writtenTogether(before, before) && !writtenTogether(text, text);
}

function leastOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
