/** The metadata document of a video's pictures, sound and words: combined from all analyses, one per revision. */
import type { Analysis } from './analysis.ts';
import type { Description, Interval, Label, MetadataDocument, Transcript, Vectors } from './model.ts';
import { pictureLabels } from './picture/labels.ts';
import { groupScenes, joinShots } from './picture/scenes.ts';
import { silentIntervals, soundLabels } from './sound/labels.ts';
import { findKeyMoments } from './moments/key-moments.ts';
import { knowsLanguage } from './moments/words.ts';
import { lengthOf, overlapOf, spanOf, type Span } from './span.ts';
import { joinTexts } from './text/merge.ts';
import { findTopics, mergeTopics } from './topics/phrases.ts';
import { gatherPieces, spokenPieces } from './topics/places.ts';
import { subjectLabels } from './topics/subjects.ts';

/** Limits of a document, so that a response stays far below the 4 MB of gRPC. */
const limits = { scenes: 1_000, shots: 5_000, intervals: 1_000, texts: 2_000, topics: 20, labels: 64, spans: 200 };

export type DocumentInput = {
  readonly durationMs: number;
  /** The analyses of every span, in order. */
  readonly analyses: readonly Analysis[];
  readonly description: Description;
  /** Undefined while there is none. */
  readonly transcript: Transcript | undefined;
  /** The translation of what is spoken, where it is spoken in another language. */
  readonly english: Transcript | undefined;
  /** Words of a language that carry no meaning by themselves. */
  readonly stopWordsOf: (language: string) => ReadonlySet<string>;
};

/** Combines the analyses into the document, without its vectors. */
export function writeDocument(input: DocumentInput): Omit<MetadataDocument, keyof Vectors | 'chapters'> {
  const { durationMs, analyses, description, transcript, english, stopWordsOf } = input;
  const foundShots = analyses.flatMap((analysis) => analysis.shots);
  const shots = joinShots(foundShots, durationMs, limits.shots);
  const seconds = analyses.flatMap((analysis) => analysis.seconds);
  const texts = longest(joinTexts(analyses.flatMap((analysis) => analysis.texts)), limits.texts);
  const screenTexts = texts.map(({ text, confidence, ...span }) => ({ text, ...spanOf(span), confidence }));
  const pieces = gatherPieces(description, transcript, screenTexts);
  const intervals = [...joinIntervals(analyses), ...silentIntervals(seconds, durationMs)];
  const inEnglish = spokenPieces(english);
  const language = transcript?.language ?? description.languageCode;
  return {
    scenes: groupScenes(shots, sceneRules(durationMs)),
    shots: shots.map(spanOf),
    intervals: longest(intervals, limits.intervals),
    screenTexts,
    topics: mergeTopics(
      findTopics(pieces, language, stopWordsOf(language), limits.topics),
      findTopics(inEnglish, 'en', stopWordsOf('en'), limits.topics / 2),
      limits.topics,
    ),
    labels: limitSpans([
      ...subjectLabels(description, [...pieces, ...inEnglish]),
      ...pictureLabels(shots, texts),
      ...soundLabels(seconds, transcript?.sentences ?? []),
    ]),
    keyMoments: findKeyMoments({
      ...{ durationMs, seconds, shots, texts },
      transcript: english && !knowsLanguage(language) ? english : transcript,
      prints: analyses.flatMap(({ prints = [] }) => prints),
    }),
    hasTranscript: transcript !== undefined,
  };
}

/** The longest ones, in chronological order. */
function longest<T extends Span>(all: readonly T[], most: number): T[] {
  return [...all]
    .sort((a, b) => lengthOf(b) - lengthOf(a))
    .slice(0, most)
    .sort((a, b) => a.startMs - b.startMs);
}

/** Scenes of a long video are longer, so that there are never too many. */
function sceneRules(durationMs: number) {
  return {
    leastMs: Math.max(2_500, durationMs / limits.scenes),
    mostMs: Math.max(120_000, (2 * durationMs) / limits.scenes),
    apart: 0.4,
  };
}

/** Joins intervals that continue over the end of a span; black intervals are not also reported as frozen. */
function joinIntervals(analyses: readonly Analysis[]): Interval[] {
  const all = analyses.flatMap(({ intervals }) => intervals).sort((a, b) => a.startMs - b.startMs);
  const spanStarts = new Set(analyses.map(({ span }) => span.startMs));
  const joined: Interval[] = [];
  for (const interval of all) {
    const index = joined.findLastIndex(({ kind }) => kind === interval.kind);
    const last = joined[index];
    if (last && interval.startMs === last.endMs && spanStarts.has(interval.startMs))
      joined[index] = { ...last, endMs: interval.endMs };
    else joined.push(interval);
  }
  const black = joined.filter(({ kind }) => kind === 'black');
  const isBlack = (span: Span): boolean => black.some((dark) => overlapOf(span, dark) > 0.9 * lengthOf(span));
  return joined.filter((interval) => interval.kind !== 'frozen' || !isBlack(interval));
}

function limitSpans(labels: readonly Label[]): Label[] {
  return labels.slice(0, limits.labels).map((label) => ({ ...label, spans: longest(label.spans, limits.spans) }));
}
