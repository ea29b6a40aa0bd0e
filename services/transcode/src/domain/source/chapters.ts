/** Chapters of a file as chapters of the video. */
import type { LadderChapter } from '@vds/proto/documents/ladder';
import { plainLine } from './plain-line.ts';
import type { SourceChapter } from './side-tracks.ts';
import type { Timeline } from './timeline.ts';

const MAX_TITLE = 200;

/**
 * In their order, each at its own time of the video, with the title as it was sent, in one plain line. One that begins
 * behind the video's end is none; of those that begin together the last one counts, as players show that.
 */
export function chaptersOf(chapters: readonly SourceChapter[], { zero, end }: Timeline): LadderChapter[] {
  const byStart = new Map<number, LadderChapter>();
  for (const { start, title } of chapters.toSorted((a, b) => a.start - b.start)) {
    const startMs = Math.round(Math.max(0, start - zero) * 1_000);
    if (startMs < end * 1_000) byStart.set(startMs, { startMs, title: plainLine(title, MAX_TITLE) });
  }
  return [...byStart.values()];
}
