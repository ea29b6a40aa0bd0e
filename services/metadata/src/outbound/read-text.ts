/** Text on screen: key pictures of a readable rung, overlaid for each stay, read by tesseract two at a time. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { byLine } from '@vds/chassis/sandbox/programs';
import type { LadderRung } from '@vds/proto/documents/ladder';
import type { MediaPlaylist, MediaSegment } from '@vds/proto/documents/media-playlist';
import type { AnalyzedText } from '../domain/analysis.ts';
import type { Sample } from '../domain/picture/sample.ts';
import { segmentsWithin } from '../domain/renditions.ts';
import type { Span } from '../domain/span.ts';
import { follower } from '../domain/text/follow.ts';
import { readLines } from '../domain/text/lines.ts';
import { timeTexts, type Reading } from '../domain/text/merge.ts';
import type { TextInterval } from '../domain/text/text-intervals.ts';
import type { Deps } from './analyze-frames.ts';
import { joinSegments } from './renditions.ts';
import { byBlock, runTool } from './tools.ts';

/** Pictures with fewer lines are enlarged. */
const readableLines = 540;
/** Distance from the end of a stay, where one picture may already fade into the next. */
const insetMs = 120;

type Page = { readonly stay: TextInterval; readonly pixels: Buffer };

const fileName = 'reading.mp4';

/** Two at a time: each keeps a core busy. */
const atOnce = 2;

export type Readable = { readonly playlist: MediaPlaylist; readonly rung: Pick<LadderRung, 'width' | 'height'> };

/**
 * @param stays intervals to read from, at most one page each
 * @param samples of the span, for the times of the texts
 * @returns the texts, and how many pictures were decoded for them
 */
export async function readText(
  desk: Deps,
  readable: Readable,
  stays: readonly TextInterval[],
  samples: readonly Sample[],
  span: Span,
): Promise<{ readonly texts: readonly AnalyzedText[]; readonly pictures: number }> {
  if (stays.length === 0) return { texts: [], pictures: 0 };
  const pages = gatherPages(stays);
  await decode(desk, readable, segmentsOf(readable.playlist, stays), true, pages.add);
  // Stays that are too short to contain a key picture are decoded in full.
  const read = new Set(pages.pages().map(({ stay }) => stay));
  const brief = stays.filter((stay) => !read.has(stay));
  if (brief.length > 0) await decode(desk, readable, segmentsOf(readable.playlist, brief), false, pages.add);
  const readings = await readPages(desk, pages.pages(), sizeOf(readable.rung));
  return { texts: timeTexts(readings, follower(samples, span)), pictures: pages.count() };
}

/** Gathers pictures into one page a stay; for a still picture the one nearest to the middle is enough. */
function gatherPages(stays: readonly TextInterval[]) {
  const pages = new Map<TextInterval, Buffer>();
  const nearest = new Map<TextInterval, number>();
  let pictures = 0;
  return {
    add: (atMs: number, picture: Buffer): void => {
      const stay = stays.find((one) => holds(one, atMs));
      if (!stay) return;
      pictures++;
      const page = pages.get(stay);
      const away = Math.abs(atMs - middleOf(stay));
      if (page && stay.moving) layOver(page, picture);
      else if (!page || away < (nearest.get(stay) ?? Infinity)) pages.set(stay, Buffer.from(picture));
      nearest.set(stay, Math.min(away, nearest.get(stay) ?? Infinity));
    },
    pages: (): Page[] => [...pages].map(([stay, pixels]) => ({ stay, pixels })),
    count: (): number => pictures,
  };
}

function holds({ startMs, endMs }: TextInterval, atMs: number): boolean {
  return atMs >= startMs - 1 && atMs < endMs - Math.min(insetMs, (endMs - startMs) / 4);
}

function middleOf({ startMs, endMs }: Span): number {
  return (startMs + endMs) / 2;
}

/** Keeps the darker pixel of two pictures: light letters that stay remain, and what moves behind them fades. */
function layOver(page: Buffer, picture: Buffer): void {
  for (let at = 0; at < page.length; at++) if ((picture[at] ?? 0) < (page[at] ?? 0)) page[at] = picture[at] ?? 0;
}

async function decode(
  desk: Deps,
  { playlist, rung }: Readable,
  segments: readonly MediaSegment[],
  keys: boolean,
  add: (atMs: number, picture: Buffer) => void,
): Promise<void> {
  const { media, scratch, signal, timeoutMs, tools } = desk;
  const { width, height } = sizeOf(rung);
  const originMs = segments[0]?.startMs ?? 0;
  await joinSegments(media, playlist, segments, { scratch, name: fileName }, signal);
  const times = inStep();
  let count = 0;
  const line = (text: string): void => {
    const seconds = /^frame:\d+\s+pts:\S+\s+pts_time:(\S+)/.exec(text)?.[1];
    if (seconds !== undefined) times.push(originMs + Number(seconds) * 1_000);
  };
  const picture = async (bytes: Buffer): Promise<void> => add(await times.get(count++), bytes);
  await runTool(tools, 'ffmpeg', decodeArguments(width, height, keys), {
    ...{ scratch, signal, timeoutMs },
    onOutput: (stdout) => byLine(line)(stdout).finally(times.end),
    pipes: [byBlock(width * height, picture)],
  });
}

/** Pairs numbers from one pipe with data from another: a request for the n-th number waits until it has arrived. */
function inStep() {
  const numbers: number[] = [];
  let bell = Promise.withResolvers<void>();
  let ended = false;
  return {
    push: (number: number): void => {
      numbers.push(number);
      bell.resolve();
      bell = Promise.withResolvers<void>();
    },
    /** There are no more numbers: waiting and later requests get NaN. */
    end: (): void => {
      ended = true;
      bell.resolve();
    },
    get: async (place: number): Promise<number> => {
      while (numbers[place] === undefined && !ended) await bell.promise;
      return numbers[place] ?? Number.NaN;
    },
  };
}

/** @param keys whether key pictures alone are decoded, one in two seconds at a tenth of the cost */
function decodeArguments(width: number, height: number, keys: boolean): string[] {
  return [
    ...[
      '-hide_banner',
      '-nostdin',
      '-v',
      'error',
      '-protocol_whitelist',
      'file',
      ...(keys ? ['-skip_frame', 'nokey'] : []),
    ],
    ...['-i', fileName, '-an', '-vsync', 'passthrough'],
    // The filter before the last only adds a metadata entry: a picture's time is printed only together with one.
    ...[
      '-vf',
      `${keys ? '' : 'fps=4:round=up,'}setpts=PTS-STARTPTS,scale=${width}:${height},format=gray,blackdetect=d=0,scdet=t=100,metadata=print:file=-:direct=1`,
    ],
    ...['-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:3'],
  ];
}

function segmentsOf(playlist: MediaPlaylist, stays: readonly TextInterval[]): MediaSegment[] {
  const wanted = new Set(stays.flatMap(({ startMs, endMs }) => segmentsWithin(playlist, startMs, endMs)));
  return playlist.segments.filter((segment) => wanted.has(segment));
}

async function readPages(desk: Deps, pages: readonly Page[], size: ReturnType<typeof sizeOf>): Promise<Reading[]> {
  const readings: Reading[] = [];
  const left = [...pages.entries()];
  const readOn = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift())
      readings.push(await readPage(desk, next[1], `page-${next[0]}.pgm`, size));
  };
  await Promise.all(Array.from({ length: atOnce }, readOn));
  return readings.sort((a, b) => a.stay.startMs - b.stay.startMs);
}

/** Reads one page; a page that tesseract cannot read has no lines. */
async function readPage(desk: Deps, page: Page, name: string, size: ReturnType<typeof sizeOf>): Promise<Reading> {
  const { scratch, signal, tools } = desk;
  const header = Buffer.from(`P5\n${size.width} ${size.height}\n255\n`, 'latin1');
  await writeFile(join(scratch, name), Buffer.concat([header, page.pixels]));
  const args = [name, 'stdout', '--psm', '11', 'tsv'];
  const tsv = await runTool(tools, 'tesseract', args, { scratch, signal, timeoutMs: 60_000 });
  return { stay: page.stay, lines: readLines(tsv, size.width, size.height) };
}

function sizeOf({ width, height }: Readable['rung']): { width: number; height: number } {
  const scale = Math.min(width, height) < readableLines ? 2 : 1;
  return { width: width * scale, height: height * scale };
}
