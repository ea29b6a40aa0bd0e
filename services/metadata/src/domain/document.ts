/** The metadata document of a video's pictures, sound and words: combined from all analyses, one per revision. */
import type { Description } from './description.ts';
import type { Analysis, AnalyzedText } from './analysis.ts';
import type { Interval, Label, ScreenText, Topic, Transcript } from './model.ts';
import { pictureLabels } from './picture/labels.ts';
import type { Span } from './span.ts';
import { groupScenes, joinSpans, type Scene } from './picture/scenes.ts';
import { silentIntervals, soundLabels } from './sound/labels.ts';
import { joinTexts } from './text/merge.ts';
import { findTopics } from './topics/phrases.ts';
import { gatherPieces } from './topics/places.ts';
import { subjectLabels } from './topics/subjects.ts';

export type MetadataDocument = {
  readonly scenes: readonly Scene[];
  readonly shots: readonly Span[];
  readonly intervals: readonly Interval[];
  readonly screenTexts: readonly ScreenText[];
  readonly topics: readonly Topic[];
  readonly labels: readonly Label[];
  readonly hasTranscript: boolean;
};

/** Limits of a document, so that a response stays far below the 4 MB of gRPC. */
export const caps = { scenes: 1_000, shots: 5_000, intervals: 1_000, texts: 2_000, topics: 20, labels: 64, spans: 200 };

export type Known = {
  readonly durationMs: number;
  /** The analyses of every span, in order. */
  readonly found: readonly Analysis[];
  readonly description: Description;
  /** Undefined while there is none. */
  readonly transcript: Transcript | undefined;
  /** Words of the language that carry no meaning by themselves. */
  readonly stopWords: ReadonlySet<string>;
};

/** Combines the analyses into the document. */
export function writeDocument({ durationMs, found, description, transcript, stopWords }: Known): MetadataDocument {
  const shots = joinSpans(
    found.flatMap((part) => part.shots),
    durationMs,
    caps.shots,
  );
  const seconds = found.flatMap((part) => part.seconds);
  const texts = longest(joinTexts(found.flatMap((part) => part.texts)), caps.texts);
  const screenTexts = texts.map(shown);
  const seams = new Set(found.map(({ span }) => span.startMs));
  const pieces = gatherPieces(description, transcript, screenTexts);
  return {
    scenes: groupScenes(shots, sceneRules(durationMs)),
    shots: shots.map(({ startMs, endMs }) => ({ startMs, endMs })),
    intervals: longest(
      [
        ...joinIntervals(
          found.flatMap((part) => part.intervals),
          seams,
        ),
        ...silentIntervals(seconds, durationMs),
      ],
      caps.intervals,
    ),
    screenTexts,
    topics: findTopics(pieces, transcript?.language ?? description.language, stopWords, caps.topics),
    labels: limitSpans([
      ...subjectLabels(description, pieces),
      ...pictureLabels(shots, texts),
      ...soundLabels(seconds, transcript?.sentences ?? []),
    ]),
    hasTranscript: transcript !== undefined,
  };
}

/** The longest ones, in chronological order. */
function longest<T extends Span>(all: readonly T[], most: number): T[] {
  return [...all]
    .sort((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs))
    .slice(0, most)
    .sort((a, b) => a.startMs - b.startMs);
}

function shown({ text, startMs, endMs, confidence }: AnalyzedText): ScreenText {
  return { text, startMs, endMs, confidence };
}

/** Scenes of a long video are longer, so that there are never too many. */
function sceneRules(durationMs: number) {
  return {
    leastMs: Math.max(2_500, durationMs / caps.scenes),
    mostMs: Math.max(120_000, (2 * durationMs) / caps.scenes),
    apart: 0.4,
  };
}

/** Joins intervals that continue over the end of a span; black intervals are not also reported as frozen. */
function joinIntervals(all: readonly Interval[], seams: ReadonlySet<number>): Interval[] {
  const joined: Interval[] = [];
  for (const interval of [...all].sort((a, b) => a.startMs - b.startMs)) {
    const place = joined.findLastIndex(({ kind }) => kind === interval.kind);
    const last = joined[place];
    if (last && interval.startMs === last.endMs && seams.has(interval.startMs))
      joined[place] = { ...last, endMs: interval.endMs };
    else joined.push(interval);
  }
  const black = joined.filter(({ kind }) => kind === 'black');
  const isBlack = ({ startMs, endMs }: Span): boolean =>
    black.some((dark) => Math.min(endMs, dark.endMs) - Math.max(startMs, dark.startMs) > 0.9 * (endMs - startMs));
  return joined.filter((interval) => interval.kind !== 'frozen' || !isBlack(interval));
}

function limitSpans(labels: readonly Label[]): Label[] {
  return labels.slice(0, caps.labels).map((label) => ({ ...label, spans: longest(label.spans, caps.spans) }));
}
