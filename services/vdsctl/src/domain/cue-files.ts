/** Cues of a track as a file (W3C WebVTT, SubRip), and as lines for a person. */
export type Cue = { readonly startMs: number; readonly endMs: number; readonly lines: readonly string[] };

export const formats = ['vtt', 'srt'] as const;
export type Format = (typeof formats)[number];

/** A file that `captions replace` takes back. */
export function cueFile(cues: readonly Cue[], format: Format): string {
  const blocks = cues.map(({ startMs, endMs, lines }, index) => {
    const text = format === 'vtt' ? lines.map(escaped) : lines;
    return [`${index + 1}`, `${timeOf(startMs, format)} --> ${timeOf(endMs, format)}`, ...text].join('\n');
  });
  return [...(format === 'vtt' ? ['WEBVTT'] : []), ...blocks].join('\n\n');
}

function escaped(line: string): string {
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** hh:mm:ss.ttt; SubRip has a comma. */
export function timeOf(ms: number, format: Format = 'vtt'): string {
  const [hours, minutes, seconds] = [
    Math.floor(ms / 3_600_000),
    Math.floor(ms / 60_000) % 60,
    Math.floor(ms / 1_000) % 60,
  ];
  const clock = [hours, minutes, seconds].map((part) => String(part).padStart(2, '0')).join(':');
  return `${clock}${format === 'srt' ? ',' : '.'}${String(ms % 1_000).padStart(3, '0')}`;
}

/** Milliseconds of `hh:mm:ss.ttt`, `mm:ss` or seconds; undefined for what is none of them. */
export function parseTime(text: string): number | undefined {
  const found = /^(?:(?:(\d{1,4}):)?(\d{1,2}):)?(\d{1,5})(?:[.,](\d{1,3}))?$/.exec(text);
  if (!found) return undefined;
  const [, hours = '0', minutes = '0', seconds = '0', rest = ''] = found;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000 + Number(rest.padEnd(3, '0'));
}
