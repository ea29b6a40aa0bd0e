/** Text on screen: key pictures of a readable rung, overlaid for each interval, read by tesseract two at a time. */
import { writeFreshFile } from '@vds/chassis/objects/left-file';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { byLine } from '@vds/chassis/sandbox/programs';
import type { LadderRung } from '@vds/proto/documents/ladder';
import type { MediaPlaylist } from '@vds/proto/documents/media-playlist';
import type { AnalyzedText } from '../domain/analysis.ts';
import type { Sample } from '../domain/picture/sample.ts';
import { READABLE_LINES, segmentsWithin } from '../domain/renditions.ts';
import { lengthOf, middleOf, type Span } from '../domain/span.ts';
import { parseLines } from '../domain/text/lines.ts';
import { timeTexts, type Reading } from '../domain/text/merge.ts';
import type { TextInterval } from '../domain/text/text-intervals.ts';
import { createTracker } from '../domain/text/tracker.ts';
import { decodeSegments, type AnalysisDeps } from './renditions.ts';
import { byBlock, runTool } from './tools.ts';

/** Distance from the end of an interval, where one picture may already fade into the next. */
const INSET_MS = 120;

/** The picture that is read for an interval, and the distance of its time from the interval's middle. */
type Page = { readonly interval: TextInterval; readonly pixels: Buffer; readonly distanceMs: number };
type Pages = ReturnType<typeof createPages>;
type Size = { readonly width: number; readonly height: number };

export type ReadableRendition = {
  readonly playlist: MediaPlaylist;
  readonly rung: Pick<LadderRung, 'width' | 'height'>;
};

/**
 * @param intervals to read from, at most one page each
 * @param samples of the span, for the times of the texts
 * @returns the texts, and how many pictures were decoded for them
 */
export async function recognizeText(
  deps: AnalysisDeps,
  rendition: ReadableRendition,
  intervals: readonly TextInterval[],
  samples: readonly Sample[],
  span: Span,
): Promise<{ readonly texts: readonly AnalyzedText[]; readonly pictures: number }> {
  const pages = createPages(intervals);
  await decodePages(deps, rendition, intervals, { keysOnly: true, pages });
  // Intervals that are too short to contain a key picture are decoded in full.
  await decodePages(deps, rendition, pages.missing(), { keysOnly: false, pages });
  const readings = await readPages(deps, pages.all(), pageSize(rendition));
  return { texts: timeTexts(readings, createTracker(samples, span)), pictures: pages.pictures() };
}

/** Combines pictures into one page an interval; of still pictures the one nearest to the middle is enough. */
function createPages(intervals: readonly TextInterval[]) {
  const pages = new Map<TextInterval, Page>();
  let pictures = 0;
  return {
    add: (atMs: number, picture: Buffer): void => {
      const interval = intervals.find((one) => isInside(one, atMs));
      if (!interval) return;
      pictures++;
      const page = pages.get(interval);
      const distanceMs = Math.abs(atMs - middleOf(interval));
      if (page && interval.moving) overlay(page.pixels, picture);
      else if (!page || distanceMs < page.distanceMs)
        pages.set(interval, { interval, pixels: Buffer.from(picture), distanceMs });
    },
    all: (): readonly Page[] => [...pages.values()],
    missing: (): readonly TextInterval[] => intervals.filter((interval) => !pages.has(interval)),
    pictures: (): number => pictures,
  };
}

function isInside(interval: TextInterval, atMs: number): boolean {
  return atMs >= interval.startMs - 1 && atMs < interval.endMs - Math.min(INSET_MS, lengthOf(interval) / 4);
}

/** Keeps the darker pixel of two pictures: light letters that stay remain, and what moves behind them fades. */
function overlay(page: Buffer, picture: Buffer): void {
  for (let at = 0; at < page.length; at++) if ((picture[at] ?? 0) < (page[at] ?? 0)) page[at] = picture[at] ?? 0;
}

/** @param options.keysOnly whether key pictures alone are decoded, one in two seconds at a tenth of the cost */
async function decodePages(
  deps: AnalysisDeps,
  rendition: ReadableRendition,
  intervals: readonly TextInterval[],
  { keysOnly, pages }: { readonly keysOnly: boolean; readonly pages: Pages },
): Promise<void> {
  if (intervals.length === 0) return;
  const { playlist } = rendition;
  const wanted = new Set(intervals.flatMap(({ startMs, endMs }) => segmentsWithin(playlist, startMs, endMs)));
  const segments = playlist.segments.filter((segment) => wanted.has(segment));
  const originMs = segments[0]?.startMs ?? 0;
  const { width, height } = pageSize(rendition);
  // The times come from another pipe than the pictures: the n-th picture waits for the n-th time.
  const times = new PassThrough({ objectMode: true });
  const nextTime: AsyncIterator<number> = times[Symbol.asyncIterator]();
  const onLine = (line: string): void => {
    const seconds = /^frame:\d+\s+pts:\S+\s+pts_time:(\S+)/.exec(line)?.[1];
    if (seconds !== undefined) times.write(originMs + Number(seconds) * 1_000);
  };
  const onPicture = async (picture: Buffer): Promise<void> => {
    const { value, done } = await nextTime.next();
    if (done !== true) pages.add(value, picture);
  };
  // The filter before the last only adds a metadata entry: a picture's time is printed only together with one.
  const filters = `${keysOnly ? '' : 'fps=4:round=up,'}setpts=PTS-STARTPTS,scale=${width}:${height},format=gray,blackdetect=d=0,scdet=t=100,metadata=print:file=-:direct=1`;
  await decodeSegments(deps, {
    ...{ playlist, segments, name: 'reading.mp4' },
    inputArgs: keysOnly ? ['-skip_frame', 'nokey'] : [],
    outputArgs: ['-an', '-vsync', 'passthrough', '-vf', filters, '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:3'],
    onOutput: (stdout) => byLine(onLine)(stdout).finally(() => times.end()),
    pipes: [byBlock(width * height, onPicture)],
  });
}

/** Two at a time: each keeps a core busy. */
async function readPages(deps: AnalysisDeps, pages: readonly Page[], size: Size): Promise<Reading[]> {
  const readings: Reading[] = [];
  const queue = pages.entries();
  const readQueue = async (): Promise<void> => {
    for (const [index, page] of queue) readings.push(await readPage(deps, page, `page-${index}.pgm`, size));
  };
  await Promise.all([readQueue(), readQueue()]);
  return readings.sort((a, b) => a.interval.startMs - b.interval.startMs);
}

/** Reads one page; a page that tesseract cannot read has no lines. */
async function readPage(deps: AnalysisDeps, page: Page, name: string, { width, height }: Size): Promise<Reading> {
  const { scratch, signal, tools } = deps;
  const header = Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1');
  await writeFreshFile(join(scratch, name), Buffer.concat([header, page.pixels]));
  const args = [name, 'stdout', '--psm', '11', 'tsv'];
  const tsv = await runTool(tools, 'tesseract', args, { scratch, signal, timeoutMs: 60_000 });
  return { interval: page.interval, lines: parseLines(tsv, width, height) };
}

/** Pictures of a rung whose letters are hard to read are enlarged. */
function pageSize({ rung: { width, height } }: ReadableRendition): Size {
  const scale = Math.min(width, height) < READABLE_LINES ? 2 : 1;
  return { width: width * scale, height: height * scale };
}
