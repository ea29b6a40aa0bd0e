/**
 * Cuts the byte stream of a fragmented mp4, as the encoder writes it into a pipe, into its header and its fragments.
 */
import { AppError } from '@vds/chassis/errors';
import { readBoxHeader } from './boxes.ts';
import { readSamples, type Sample } from './samples.ts';

/** A fragment of a few seconds is far smaller; a larger box means that the stream is not a fragmented mp4. */
const MAX_BOX = 256 * 2 ** 20;

/**
 * @returns a reader that holds at most one fragment's bytes
 * @throws AppError INTERNAL from `push` for a box that our encoder does not write
 */
export function createFragmentReader() {
  let waiting: Uint8Array[] = [];
  let length = 0;
  let needed = 8;
  const header: Buffer[] = [];
  let moof: Buffer | undefined;

  const take = (box: Buffer, type: string): Sample[] => {
    if (type === 'ftyp' || type === 'moov') header.push(box);
    if (type === 'moof') moof = box;
    if (type !== 'mdat' || !moof) return [];
    const samples = readSamples(Buffer.concat([moof, box]));
    moof = undefined;
    return samples;
  };

  const drain = (): Sample[] => {
    const bytes = Buffer.concat(waiting, length);
    const samples: Sample[] = [];
    let at = 0;
    needed = 8;
    for (;;) {
      const box = readBoxHeader(bytes, at);
      if (box && box.end - box.start > MAX_BOX) throw new AppError('INTERNAL', `a ${box.type} box is too large`);
      if (!box || box.end > bytes.length) {
        needed = box ? box.end - at : bytes.length - at < 8 ? 8 : 16;
        break;
      }
      samples.push(...take(bytes.subarray(box.start, box.end), box.type));
      at = box.end;
    }
    waiting = [bytes.subarray(at)];
    length = bytes.length - at;
    return samples;
  };

  return {
    /** Consumes the next bytes; returns the samples of every fragment that they complete, in decode order. */
    push: (chunk: Uint8Array): Sample[] => {
      waiting.push(chunk);
      length += chunk.length;
      return length < needed ? [] : drain();
    },
    /** `ftyp` and `moov`, once they have passed. */
    header: () => (header.length === 2 ? Buffer.concat(header) : undefined),
    /** @throws AppError INTERNAL if the stream ended inside a box */
    end: (): void => {
      if (length > 0 || moof) throw new AppError('INTERNAL', 'the encoder stopped inside a box');
    },
  };
}
