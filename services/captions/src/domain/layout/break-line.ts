/** One text without times → the lines of a cue. */
import { atomsOf, markWords } from './atoms.ts';
import { breakCosts } from './break-cost.ts';
import { linesOf } from './cues.ts';

/** One line or two; a text that is too wide for two stays on one, which the player breaks. */
export function breakLine(text: string, language: string): string[] {
  return linesOf(markWords(atomsOf(text)), breakCosts(language));
}
