/** Groups samples into segments on a fixed grid of time, so that segments of all renditions and pieces line up. */
import type { Sample } from './samples.ts';

/** Samples of one segment, in decode order, which begins with a key sample and is decodable by itself. */
export type SampleGroup = {
  readonly samples: readonly Sample[];
  /** Ticks: the first sample's presentation time, and where the next segment takes over. */
  readonly start: number;
  readonly end: number;
};

export type Grid = {
  /** Length of one cell in ticks. */
  readonly cell: number;
  /** A sample up to this many ticks before a cell belongs to it: source clocks of 1 ms round downwards. */
  readonly tolerance: number;
};

/** A segment begins at the first key sample of a new cell; where a cell has none, the previous segment continues. */
export function createSegmenter(grid: Grid) {
  let open: Sample[] = [];
  const close = (end: number): SampleGroup[] => {
    const [first] = open;
    const group = first ? [{ samples: open, start: first.pts, end }] : [];
    open = [];
    return group;
  };
  const add = (sample: Sample): SampleGroup[] => {
    const [first] = open;
    const isNext = first !== undefined && sample.key && cellOf(sample.pts, grid) > cellOf(first.pts, grid);
    const done = isNext ? close(sample.pts) : [];
    open.push(sample);
    return done;
  };
  return {
    /** Consumes samples in decode order; returns the segments that they complete. */
    push: (samples: readonly Sample[]): SampleGroup[] => samples.flatMap(add),
    /**
     * Closes the last segment.
     * @param end ticks at which the next piece takes over; undefined at the end of a video: the last sample's own end
     */
    flush: (end: number | undefined): SampleGroup[] => close(endOf(open, end)),
  };
}

/** Number of the grid's cell that a time in ticks lies in. */
export function cellOf(ticks: number, { cell, tolerance }: Grid): number {
  return Math.floor((ticks + tolerance) / cell);
}

/** Where the last segment ends: at `planned`, but never before its last sample is shown. */
function endOf(samples: readonly Sample[], planned: number | undefined): number {
  const shown = samples.reduce((last, { pts }) => Math.max(last, pts), 0);
  const own = samples.reduce((end, { pts, duration }) => Math.max(end, pts + duration), 0);
  return Math.max(planned ?? own, shown + 1);
}
