/** Translated sentences → cues within the times of the cues of the sentences that they translate. */
import { AppError } from '@vds/chassis/errors';
import type { TrackSentence } from '@vds/proto/documents/track';
import { plainText } from '../plain-text.ts';
import type { Span } from '../words.ts';
import { atomsOf, type Atom } from './atoms.ts';
import { breakCosts } from './break-cost.ts';
import type { CueLimit } from './cue-times.ts';
import { cuesOf, type Cue, type TimedAtom } from './cues.ts';
import { settled, type Layout } from './spoken.ts';

/** Source cues that follow each other as closely as this are one interval for the translation. */
const TOGETHER_MS = 500;

/**
 * @param texts one for each sentence of `source`, in its order; an empty one has no cue
 * @param source the spoken track's sentences with the times of their cues; no cue leaves its sentence's times
 */
export function buildTranslatedCues(
  texts: readonly string[],
  source: readonly TrackSentence[],
  language: string,
  limit: CueLimit,
): Layout {
  if (texts.length !== source.length) {
    throw new AppError('INVALID_ARGUMENT', `${texts.length} translations of ${source.length} sentences`);
  }
  const costOf = breakCosts(language);
  const said = source
    .map((sentence, index) => ({ ...sentence, text: plainText(texts[index] ?? '') }))
    .filter(({ text }) => text !== '');
  return settled(
    said,
    said.map((sentence) => cuesOfSentence(sentence.text, sentence, costOf)),
    { ...limit, lingerMs: 0 },
  );
}

/** The cues of one translated sentence; none for an empty text. */
function cuesOfSentence(text: string, source: TrackSentence, costOf: ReturnType<typeof breakCosts>): Cue[] {
  const over = joinCloseCues(source.cues.length > 0 ? source.cues : [source]);
  return spread(atomsOf(text), over).flatMap((atoms) => cuesOf(atoms, costOf));
}

function joinCloseCues(cues: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const { startMs, endMs } of cues) {
    const before = out.at(-1);
    if (before !== undefined && startMs - before.endMs <= TOGETHER_MS) {
      out[out.length - 1] = { startMs: before.startMs, endMs };
    } else out.push({ startMs, endMs });
  }
  return out;
}

/** Spreads atoms over intervals by their width; each interval that gets any is filled from end to end. */
function spread(atoms: readonly Atom[], over: readonly Span[]): TimedAtom[][] {
  const total = atoms.reduce((sum, { width }) => sum + width, 0);
  const lasts = over.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  const groups: Atom[][] = over.map(() => []);
  let passed = 0;
  for (const atom of atoms) {
    const middle = ((passed + atom.width / 2) / total) * lasts;
    passed += atom.width;
    let before = 0;
    const index = over.findIndex(({ startMs, endMs }) => (before += endMs - startMs) >= middle);
    groups[index === -1 ? over.length - 1 : index]?.push(atom);
  }
  return groups.map((group, index) => filled(group, over[index] ?? { startMs: 0, endMs: 0 }));
}

function filled(atoms: readonly Atom[], { startMs, endMs }: Span): TimedAtom[] {
  const total = atoms.reduce((sum, { width }) => sum + width, 0);
  const at = (width: number): number => Math.round(startMs + ((endMs - startMs) * width) / total);
  let passed = 0;
  return atoms.map((atom) => {
    const from = at(passed);
    passed += atom.width;
    return { ...atom, startMs: from, endMs: at(passed) };
  });
}
