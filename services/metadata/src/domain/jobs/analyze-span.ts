/** The job of one span: its pictures are measured, the text on them is read, and its sound is measured beside them. */
import type { LadderDocument, LadderRung } from '@vds/proto/documents/ladder';
import type { AnalyzedSecond } from '@vds/chassis/sound/features';
import type { Analysis, AnalyzedInterval, AnalyzedShot, AnalyzedText } from '../analysis.ts';
import type { Sample } from '../picture/sample.ts';
import { readingRung, smallestRung } from '../renditions.ts';
import type { Span } from '../span.ts';
import { mostReadings, textIntervals, type TextInterval } from '../text/text-intervals.ts';

export type FrameAnalysis = {
  readonly shots: readonly AnalyzedShot[];
  readonly intervals: readonly AnalyzedInterval[];
  readonly samples: readonly Sample[];
  readonly prints: readonly string[];
};

export type AnalyzePorts = {
  readonly analyzeFrames: (rung: LadderRung, span: Span) => Promise<FrameAnalysis>;
  /** Undefined where nothing can read text. */
  readonly recognizeText:
    | ((
        rung: LadderRung,
        intervals: readonly TextInterval[],
        samples: readonly Sample[],
        span: Span,
      ) => Promise<readonly AnalyzedText[]>)
    | undefined;
  readonly measureSound: (
    audio: NonNullable<LadderDocument['audio']>,
    span: Span,
  ) => Promise<readonly AnalyzedSecond[]>;
  readonly readingsPerMinute: number;
};

/** @throws AppError INTERNAL with reason `tool_failed` where nothing can be decoded */
export async function analyzeSpan(ports: AnalyzePorts, ladder: LadderDocument, span: Span): Promise<Analysis> {
  const { audio } = ladder;
  const [pictures, seconds] = await Promise.all([
    analyzePictures(ports, ladder, span),
    audio === null ? [] : ports.measureSound(audio, span),
  ]);
  return { version: 1, span, ...pictures, seconds };
}

/** Text is recognized after the pictures were sampled, which locate it. */
async function analyzePictures(
  { analyzeFrames, recognizeText, readingsPerMinute }: AnalyzePorts,
  ladder: LadderDocument,
  span: Span,
): Promise<Pick<Analysis, 'shots' | 'intervals' | 'texts' | 'prints'>> {
  const { samples, ...found } = await analyzeFrames(smallestRung(ladder), span);
  if (!recognizeText) return { ...found, texts: [] };
  const intervals = textIntervals(found.shots, samples, mostReadings(span, readingsPerMinute));
  return { ...found, texts: await recognizeText(readingRung(ladder), intervals, samples, span) };
}
