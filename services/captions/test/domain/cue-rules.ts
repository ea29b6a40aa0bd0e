/** Rules that the cues of every track must satisfy. */
import { assert } from 'chai';
import { widthOf } from '../../src/domain/layout/graphemes.ts';
import type { Cue } from '../../src/domain/layout/cues.ts';

/** All displayed letters, in order. */
export function shown(cues: readonly Cue[]): string {
  return withoutSpaces(cues.flatMap(({ lines }) => lines).join(''));
}

export function withoutSpaces(value: string): string {
  return value.replaceAll(/\s/g, '');
}

/** One or two lines that fit, never more than 7 s, never overlapping a neighbour, whatever an engine returned. */
export function checkAlways(cues: readonly Cue[]): void {
  for (const [index, { startMs, endMs, lines }] of cues.entries()) {
    assert.include([1, 2], lines.length);
    for (const line of lines) {
      assert.isAtMost(widthOf(line), 42, line);
      assert.notEqual(line.trim(), '');
      assert.equal(line, line.trim());
    }
    assert.isAbove(endMs, startMs);
    assert.isAtMost(endMs - startMs, 7_000);
    assert.isAtLeast(startMs, cues[index - 1]?.endMs ?? 0);
  }
}
