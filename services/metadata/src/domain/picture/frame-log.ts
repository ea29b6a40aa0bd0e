/** Reads what ffmpeg's filters log for every picture (`metadata=print`), line by line. */
import type { AnalyzedInterval } from '../analysis.ts';

export type Frame = {
  /** From the first picture of the video, in milliseconds. */
  readonly atMs: number;
  /** Mean difference from the previous picture, 0 to 100. */
  readonly motion: number;
  /** The lesser of that difference and its own change, 0 to 100: high only at a cut. */
  readonly score: number;
};

/**
 * Reads the log.
 * @param originMs when the first picture of the log is shown
 * @returns `line` for each line; `end` for the result, in which intervals without an end last until `endMs`
 */
export function frameLog(originMs: number) {
  const timeOf = (seconds: number): number => originMs + seconds * 1_000;
  const frames: Frame[] = [];
  const intervals: AnalyzedInterval[] = [];
  const open: { black: number | undefined; frozen: number | undefined } = { black: undefined, frozen: undefined };
  const close = (kind: 'black' | 'frozen', endMs: number): void => {
    const startMs = open[kind];
    if (startMs !== undefined && endMs > startMs) intervals.push({ kind, startMs, endMs });
    open[kind] = undefined;
  };
  const fields: Readonly<Record<string, (value: number) => void>> = {
    'lavfi.scd.mafd': (value) => Object.assign(frames.at(-1) ?? {}, { motion: value }),
    'lavfi.scd.score': (value) => Object.assign(frames.at(-1) ?? {}, { score: value }),
    'lavfi.black_start': (value) => (open.black = timeOf(value)),
    'lavfi.black_end': (value) => close('black', timeOf(value)),
    'lavfi.freezedetect.freeze_start': (value) => (open.frozen = timeOf(value)),
    'lavfi.freezedetect.freeze_end': (value) => close('frozen', timeOf(value)),
  };
  return {
    line: (line: string): void => {
      const [, seconds] = /^frame:\d+\s+pts:\S+\s+pts_time:(\S+)/.exec(line) ?? [];
      if (seconds !== undefined) {
        frames.push({ atMs: timeOf(Number(seconds)), motion: 0, score: 0 });
        return;
      }
      const [name = '', value] = line.split('=');
      const number = Number(value);
      if (Number.isFinite(number) && Object.hasOwn(fields, name)) fields[name]?.(number);
    },
    end: (endMs: number): { readonly frames: readonly Frame[]; readonly intervals: readonly AnalyzedInterval[] } => {
      close('black', endMs);
      close('frozen', endMs);
      return { frames, intervals };
    },
  };
}
