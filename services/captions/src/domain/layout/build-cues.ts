/** Sentences → cues: spoken ones on the times of their own words, translations within the cues of their source. */
import { AppError } from '@vds/chassis/errors';
import type { TrackSentence } from '@vds/proto/documents/track';
import { plainText } from '../plain-text.ts';
import { divideSpan, splitBetween, type Span, type SpokenSentence, type Word } from '../words.ts';
import { atomsOf, markWords, withDash, writtenTogether, type Atom } from './atoms.ts';
import { breakCosts, type BreakCost } from './break-cost.ts';
import { LINGER_MS, setCueTimes } from './cue-times.ts';
import { cuesOf, type Cue, type TimedAtom } from './cues.ts';

/** Source cues that follow each other as closely as this are one interval for the translation. */
const TOGETHER_MS = 500;

/** The cues of a track and its sentences with the times of their cues. */
export type Layout = {
  readonly cues: readonly Cue[];
  readonly sentences: readonly TrackSentence[];
};

/**
 * @param sentences in the order in which they are spoken
 * @param endMs the end of the video
 */
export function buildSpokenCues(sentences: readonly SpokenSentence[], language: string, endMs: number): Layout {
  const costOf = breakCosts(language);
  const raw = sentences.map((sentence) => cuesOf(atomsOfSentence(sentence), costOf));
  const spoken = sentences.map((sentence) => ({ ...sentence, ...(sentence.words[0]?.turn && { turn: true }) }));
  return withCueTimes(spoken, raw, endMs, LINGER_MS);
}

/**
 * @param texts one for each sentence of `source`, in its order; an empty one has no cue
 * @param source the spoken track's sentences with the times of their cues; no cue leaves its sentence's times
 */
export function buildTranslatedCues(
  texts: readonly string[],
  source: readonly TrackSentence[],
  language: string,
  endMs: number,
): Layout {
  if (texts.length !== source.length) {
    throw new AppError('INVALID_ARGUMENT', `${texts.length} translations of ${source.length} sentences`);
  }
  const costOf = breakCosts(language);
  const translated = source
    .map((sentence, index) => ({ ...sentence, text: plainText(texts[index] ?? '') }))
    .filter(({ text }) => text !== '');
  const raw = translated.map((sentence) => cuesOfTranslation(sentence, costOf));
  return withCueTimes(translated, raw, endMs, 0);
}

function atomsOfSentence({ words }: SpokenSentence): TimedAtom[] {
  const atoms = words.flatMap((word, index) => {
    const before = words[index - 1];
    return atomsOfWord(word, before !== undefined && writtenTogether(before.text, word.text));
  });
  const marked = markWords(atoms);
  const turns = new Set(words.filter(({ turn }) => turn).map(({ startMs }) => startMs));
  return marked.map((atom, index) =>
    turns.has(atom.startMs) && marked[index - 1]?.startMs !== atom.startMs ? withDash(atom) : atom,
  );
}

function atomsOfWord(word: Word, glued: boolean): TimedAtom[] {
  const [first, ...rest] = atomsOf(word.text);
  return first === undefined ? [] : timedAtoms([{ ...first, glued }, ...rest], word);
}

/** Atoms that share a span by their width. */
function timedAtoms(atoms: readonly Atom[], span: Span): TimedAtom[] {
  return divideSpan(atoms, ({ width }) => width, span);
}

function cuesOfTranslation({ text, ...source }: TrackSentence, costOf: BreakCost): Cue[] {
  const spans = joinCloseCues(source.cues.length > 0 ? source.cues : [source]);
  const [first, ...rest] = markWords(atomsOf(text));
  if (first === undefined) return [];
  return spread([source.turn ? withDash(first) : first, ...rest], spans).flatMap((atoms) => cuesOf(atoms, costOf));
}

function joinCloseCues(cues: readonly Span[]): Span[] {
  return splitBetween(cues, (last, next) => next.startMs - last.endMs > TOGETHER_MS).flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)];
    return first && last ? [{ startMs: first.startMs, endMs: last.endMs }] : [];
  });
}

/** Spreads atoms over spans by their width; each span that gets any is filled from end to end. */
function spread(atoms: readonly Atom[], spans: readonly Span[]): TimedAtom[][] {
  const total = atoms.reduce((sum, { width }) => sum + width, 0);
  const durationMs = spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  const groups: Atom[][] = spans.map(() => []);
  let passed = 0;
  for (const atom of atoms) {
    const middle = ((passed + atom.width / 2) / total) * durationMs;
    passed += atom.width;
    let before = 0;
    const index = spans.findIndex(({ startMs, endMs }) => (before += endMs - startMs) >= middle);
    groups[index === -1 ? spans.length - 1 : index]?.push(atom);
  }
  return spans.map((span, index) => timedAtoms(groups[index] ?? [], span));
}

/** Computes the cue times of all sentences together and assigns them back to each sentence. */
function withCueTimes(
  sentences: readonly Omit<TrackSentence, 'cues'>[],
  raw: readonly (readonly Cue[])[],
  endMs: number,
  lingerMs: number,
): Layout {
  const cues = setCueTimes(raw.flat(), endMs, lingerMs);
  let from = 0;
  return {
    cues,
    sentences: sentences.map(({ startMs, endMs: sentenceEndMs, text, turn }, index) => {
      const own = cues.slice(from, (from += raw[index]?.length ?? 0));
      return {
        startMs,
        endMs: sentenceEndMs,
        text,
        ...(turn && { turn }),
        cues: own.map((cue) => ({ startMs: cue.startMs, endMs: cue.endMs })),
      };
    }),
  };
}
