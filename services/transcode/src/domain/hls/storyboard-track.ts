/**
 * The storyboard as a WebVTT track: each cue names a tile of a sheet by a media fragment (`#xywh=`), as players read
 * it.
 */
import type { Storyboard } from '../plan/stills.ts';

export type PieceTiles = {
  /** Times in seconds at which the piece's tiles were taken, rising. */
  readonly times: readonly number[];
  /** Addresses of its sheets, relative to the track. */
  readonly sheets: readonly string[];
};

/**
 * @param pieces in the video's order
 * @param end seconds at which the last tile ends
 */
export function storyboardTrack(storyboard: Storyboard, pieces: readonly PieceTiles[], end: number): string {
  const perSheet = storyboard.columns * storyboard.rows;
  const tiles = pieces.flatMap(({ times, sheets }) =>
    times.map((time, index) => {
      const place = index % perSheet;
      const x = (place % storyboard.columns) * storyboard.width;
      const y = Math.floor(place / storyboard.columns) * storyboard.height;
      const sheet = sheets[Math.floor(index / perSheet)] ?? '';
      return { time, uri: `${sheet}#xywh=${x},${y},${storyboard.width},${storyboard.height}` };
    }),
  );
  const cues = tiles.map(({ time, uri }, index) => {
    const from = index === 0 ? 0 : time;
    const to = Math.max(tiles[index + 1]?.time ?? end, from + 0.001);
    return `${clock(from)} --> ${clock(to)}\n${uri}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

/** The addresses of the sheets in a track, relative to it. */
export function storyboardSheets(track: string): string[] {
  return [...new Set([...track.matchAll(/^(\S+)#xywh=/gm)].map(([, sheet = '']) => sheet))];
}

function clock(seconds: number): string {
  const ms = Math.round(seconds * 1_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [h, m, s] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1_000) % 60];
  return `${two(h)}:${two(m)}:${two(s)}.${String(ms % 1_000).padStart(3, '0')}`;
}
