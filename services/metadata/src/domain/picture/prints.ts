/** A print of one picture a second, by which a repeated picture is recognized. */
import type { Sample } from './sample.ts';
import { within, type Span } from '../span.ts';

const SECOND_MS = 1_000;
/** Fields side by side of `Sample.layout` that make one value. */
const FIELDS = 2;
const MIDDLE = 128;

/** One for each second from the span's start, in base64; '' without a picture. */
export function printsWithin(span: Span, samples: readonly Sample[]): readonly string[] {
  const count = Math.ceil((span.endMs - span.startMs) / SECOND_MS);
  const firsts = new Map<number, Sample>();
  for (const sample of within(span, samples)) {
    const second = Math.floor((sample.atMs - span.startMs) / SECOND_MS);
    if (!firsts.has(second)) firsts.set(second, sample);
  }
  return Array.from({ length: count }, (_print, second) => {
    const sample = firsts.get(second);
    return sample ? printOf(sample) : '';
  });
}

/** The brightness of each pair of fields against the picture's. */
function printOf({ layout }: Sample): string {
  const mean = layout.reduce((sum, field) => sum + field, 0) / layout.length;
  const values = Uint8Array.from({ length: layout.length / FIELDS }, (_value, index) => {
    const pair = layout.subarray(index * FIELDS, (index + 1) * FIELDS);
    const brightness = pair.reduce((sum, field) => sum + field, 0) / FIELDS - mean;
    return Math.max(0, Math.min(255, Math.round(brightness + MIDDLE)));
  });
  return Buffer.from(values).toString('base64');
}
