/** The spoken sentences of a video → cues on the times of their own words. */
import type { TrackSentence } from '@vds/proto/documents/track';
import type { SpokenSentence, Word } from '../words.ts';
import { atomsOf, writtenTogether } from './atoms.ts';
import { breakCosts } from './break-cost.ts';
import { settleTimes, type CueLimit } from './cue-times.ts';
import { cuesOf, type Cue, type TimedAtom } from './cues.ts';

/** The cues of a track and its sentences with the times of their cues. */
export type Layout = {
  readonly cues: readonly Cue[];
  readonly sentences: readonly TrackSentence[];
};

/**
 * @param sentences in the order in which they are spoken
 * @param limit the end of the video
 */
export function buildSpokenCues(sentences: readonly SpokenSentence[], language: string, limit: CueLimit): Layout {
  const costOf = breakCosts(language);
  const raw = sentences.map((sentence) => cuesOf(atomsOfSentence(sentence), costOf));
  return settled(sentences, raw, limit);
}

function atomsOfSentence({ words }: SpokenSentence): TimedAtom[] {
  return words.flatMap((word, index) => {
    const before = words[index - 1];
    return atomsOfWord(word, before !== undefined && writtenTogether(before.text, word.text));
  });
}

/** The atoms of one word, which share its time by their width. */
function atomsOfWord({ text, startMs, endMs }: Word, glued: boolean): TimedAtom[] {
  const atoms = atomsOf(text);
  const total = atoms.reduce((sum, { width }) => sum + width, 0);
  let passed = 0;
  const at = (width: number): number => Math.round(startMs + ((endMs - startMs) * width) / Math.max(1, total));
  return atoms.map((atom, index) => {
    const from = at(passed);
    passed += atom.width;
    return { ...atom, glued: index === 0 ? glued : atom.glued, startMs: from, endMs: at(passed) };
  });
}

/** Computes the cue times of all sentences together and assigns them back to each sentence. */
export function settled<S extends { readonly startMs: number; readonly endMs: number; readonly text: string }>(
  sentences: readonly S[],
  raw: readonly (readonly Cue[])[],
  limit: CueLimit,
): Layout {
  const cues = settleTimes(raw.flat(), limit);
  let from = 0;
  return {
    cues,
    sentences: sentences.map(({ startMs, endMs, text }, index) => {
      const own = cues.slice(from, (from += raw[index]?.length ?? 0));
      return { startMs, endMs, text, cues: own.map((cue) => ({ startMs: cue.startMs, endMs: cue.endMs })) };
    }),
  };
}
