/** WebVTT documents (W3C WebVTT) without styles or positions: the player chooses the position of cues. */
import type { Cue } from '../layout/cues.ts';
import { cueLine } from './cue-text.ts';

/** A cue with the number that identifies it in every document that contains it. */
export type NumberedCue = Cue & {
  readonly number: number;
};

export function numbered(cues: readonly Cue[]): NumberedCue[] {
  return cues.map((cue, index) => ({ ...cue, number: index + 1 }));
}

/**
 * @param header lines right below `WEBVTT`, such as the timestamp map of a segment
 */
export function vttDocument(cues: readonly NumberedCue[], language: string, header: readonly string[] = []): string {
  const head = ['WEBVTT', ...header].join('\n');
  return `${[head, ...cues.flatMap((cue) => block(cue, language))].join('\n\n')}\n`;
}

function block({ number, startMs, endMs, lines }: NumberedCue, language: string): string[] {
  const text = lines.map((line) => cueLine(line, language)).filter((line) => line !== '');
  return text.length === 0
    ? []
    : [[String(number), `${timestamp(startMs)} --> ${timestamp(endMs)}`, ...text].join('\n')];
}

/** hh:mm:ss.ttt; hours have as many digits as they need. */
function timestamp(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return `${digits(hours, 2)}:${digits(minutes, 2)}:${digits(seconds % 60, 2)}.${digits(ms % 1_000, 3)}`;
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, '0');
}
