/** Labels of the pictures: still, fast motion, pan, or a card with text. */
import type { Label } from '../model.ts';
import type { AnalyzedShot, AnalyzedText } from '../analysis.ts';
import type { Span } from '../span.ts';
/** Least share of text on a card; a score in the corner is less. */
const cardArea = 0.04;

type Rule = {
  readonly name: string;
  /** The highest confidence that measurements support. */
  readonly confidence: number;
  readonly holds: (shot: AnalyzedShot, texts: readonly AnalyzedText[]) => boolean;
};

const dark = 30;

const rules: readonly Rule[] = [
  {
    name: 'shot:static',
    confidence: 0.8,
    holds: ({ motion, pan, brightness }) => motion < 1 && pan < 0.1 && brightness > dark,
  },
  { name: 'shot:pan', confidence: 0.6, holds: ({ pan }) => pan >= 0.5 },
  { name: 'shot:high_motion', confidence: 0.7, holds: ({ motion, pan }) => motion >= 60 && pan < 0.5 },
  {
    name: 'shot:graphic',
    confidence: 0.6,
    holds: (shot, texts) =>
      shot.flat >= 0.6 &&
      shot.motion < 10 &&
      fewColours(shot) >= 650 &&
      areaOf(texts.filter((text) => overlap(text, shot) >= 0.8 * lengthOf(shot))) >= cardArea,
  },
];

const says = /\b(?:slow[ -]?mo(?:tion)?|cámara lenta|ralenti|zeitlupe)\b/iu;

/** Shots shorter than this show too little for a label. */
const leastMs = 1_000;

/** @param texts on screen; a card is a flat picture with text on it */
export function pictureLabels(shots: readonly AnalyzedShot[], texts: readonly AnalyzedText[]): readonly Label[] {
  return [
    ...rules.flatMap(({ name, confidence, holds }): Label[] => {
      const spans = shots
        .filter((shot) => lengthOf(shot) >= leastMs && holds(shot, texts))
        .map(({ startMs, endMs }) => ({ startMs, endMs }));
      return spans.length === 0 ? [] : [{ name, source: 'picture', confidence, spans }];
    }),
    ...slowMotion(texts),
  ];
}

function lengthOf({ startMs, endMs }: Span): number {
  return Math.max(0, endMs - startMs);
}

/** Slow motion cannot be measured, but it is often written on screen. */
function slowMotion(texts: readonly AnalyzedText[]): Label[] {
  const told = texts.filter(({ text }) => says.test(text));
  if (told.length === 0) return [];
  const confidence = Math.min(0.9, Math.max(...told.map((text) => text.confidence)));
  return [
    {
      name: 'shot:slow_motion',
      source: 'screen',
      confidence,
      spans: told.map(({ startMs, endMs }) => ({ startMs, endMs })),
    },
  ];
}

function overlap(a: Span, b: Span): number {
  return Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
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
