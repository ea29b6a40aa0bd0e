/** Labels of the pictures: still, fast motion, pan, or a card with text. */
import type { AnalyzedShot, AnalyzedText } from '../analysis.ts';
import type { Label } from '../model.ts';
import { lengthOf, overlapOf, spanOf } from '../span.ts';
import { slowShots } from './slow-motion.ts';

/** Least share of text on a card; a score in the corner is less. */
const CARD_AREA = 0.04;

type Rule = {
  readonly name: string;
  /** The highest confidence that measurements support. */
  readonly confidence: number;
  readonly matches: (shot: AnalyzedShot, texts: readonly AnalyzedText[]) => boolean;
};

const DARK = 30;

const rules: readonly Rule[] = [
  {
    name: 'shot:static',
    confidence: 0.8,
    matches: ({ motion, pan, brightness }) => motion < 1 && pan < 0.1 && brightness > DARK,
  },
  { name: 'shot:pan', confidence: 0.6, matches: ({ pan }) => pan >= 0.5 },
  { name: 'shot:high_motion', confidence: 0.7, matches: ({ motion, pan }) => motion >= 60 && pan < 0.5 },
  {
    name: 'shot:graphic',
    confidence: 0.6,
    matches: (shot, texts) =>
      shot.flat >= 0.6 &&
      shot.motion < 10 &&
      fewColours(shot) >= 650 &&
      areaOf(texts.filter((text) => overlapOf(text, shot) >= 0.8 * lengthOf(shot))) >= CARD_AREA,
  },
];

const slowMotionText = /\b(?:slow[ -]?mo(?:tion)?|cámara lenta|ralenti|zeitlupe)\b/iu;

/** Shots shorter than this show too little for a label. */
const MIN_MS = 1_000;

/** @param texts on screen; a card is a flat picture with text on it */
export function pictureLabels(shots: readonly AnalyzedShot[], texts: readonly AnalyzedText[]): readonly Label[] {
  const labels = rules.map(({ name, confidence, matches }): Label => {
    const matching = shots.filter((shot) => lengthOf(shot) >= MIN_MS && matches(shot, texts));
    return { name, source: 'picture', confidence, spans: matching.map(spanOf) };
  });
  return [...labels, slowMotion(shots, texts)].filter(({ spans }) => spans.length > 0);
}

/** What is written on screen says it of every camera, repeated pictures of some. */
function slowMotion(shots: readonly AnalyzedShot[], texts: readonly AnalyzedText[]): Label {
  const name = 'shot:slow_motion';
  const matching = texts.filter(({ text }) => slowMotionText.test(text));
  if (matching.length === 0) return { name, source: 'picture', confidence: 0.7, spans: slowShots(shots).map(spanOf) };
  const confidence = Math.min(0.9, Math.max(...matching.map((text) => text.confidence)));
  return { name, source: 'screen', confidence, spans: matching.map(spanOf) };
}

/** The share of the three most frequent bins of colour, in thousandths: a card has one or two colours. */
function fewColours({ colours }: AnalyzedShot): number {
  return [...colours]
    .sort((a, b) => b - a)
    .slice(0, 3)
    .reduce((sum, share) => sum + share, 0);
}

/** Share of the picture that text covers. */
function areaOf(texts: readonly AnalyzedText[]): number {
  return texts.reduce((sum, { box: [, , width, height] }) => sum + (width * height) / 1_000_000, 0);
}
