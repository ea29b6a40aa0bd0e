/** Walks through a file, which ask for the bytes that they need next. */

/** The driver supplies these bytes, or fewer at the end of the file. */
export type ReadRequest = { readonly at: number; readonly length: number };

export type Walk<Result> = Generator<ReadRequest, Result, Buffer>;

const WINDOW_BYTES = 65_536;
/** Bytes that `confirm` may read after a signature. */
const OVERLAP = 64;

const FEW_ZEROS = 16;

/** Whether zeros that follow begin before `at` already: a hole, as in a file whose download was given up. */
export function* isInHole(at: number): Walk<boolean> {
  const around: Buffer = yield { at: Math.max(0, at - FEW_ZEROS), length: FEW_ZEROS + 1 };
  return around.every((byte) => byte === 0);
}

/** Whether the signature of an element occurs at or after `from`. */
export function* occursBehind(
  from: number,
  fileBytes: number,
  signature: Buffer,
  confirm: (found: Buffer) => boolean,
): Walk<boolean> {
  for (let at = from; at < fileBytes; at += WINDOW_BYTES) {
    const window: Buffer = yield { at, length: WINDOW_BYTES + OVERLAP };
    for (let found = window.indexOf(signature); found >= 0; found = window.indexOf(signature, found + 1))
      if (confirm(window.subarray(found))) return true;
  }
  return false;
}

/**
 * The place after all boxes that end at `at`: QuickTime ends them with four zero bytes, as no box is that small.
 * @param ends of the open boxes, the innermost first; those that end are removed
 */
export function leaveBoxes(at: number, ends: number[]): number {
  let behind = at;
  while ((ends[0] ?? Infinity) - behind < 8) behind = Math.max(behind, ends.shift() ?? behind);
  return behind;
}
