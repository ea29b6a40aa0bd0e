/** Reads WAV files of the one kind that speech engines get. */
import { readFile } from 'node:fs/promises';
import { AppError } from '@vds/chassis/errors';

const HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
/** PCM, mono, 16 kHz, 32,000 bytes a second, 2 bytes a sample, 16 bit. */
const format = Buffer.from('01000100803e0000007d000002001000', 'hex');

/**
 * The samples of a WAV file: 16 kHz, mono, 16 bit, little endian.
 * @throws AppError INTERNAL for any other file
 */
export async function readSamples(path: string): Promise<Buffer> {
  const file = await readFile(path);
  const isWav = file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, HEADER_BYTES) === 'WAVE';
  const chunks = isWav ? chunksOf(file) : new Map<string, Buffer>();
  const samples = chunks.get('data');
  if (samples === undefined || !chunks.get('fmt ')?.subarray(0, format.length).equals(format))
    throw new AppError('INTERNAL', 'not a WAV file of 16 kHz, mono, 16 bit');
  return samples.subarray(0, samples.length - (samples.length % 2));
}

/** The chunks by their names; the last one may be cut short. */
function chunksOf(file: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  for (let at = HEADER_BYTES; at + CHUNK_HEADER_BYTES <= file.length;) {
    const from = at + CHUNK_HEADER_BYTES;
    const size = file.readUInt32LE(at + 4);
    chunks.set(file.toString('latin1', at, at + 4), file.subarray(from, from + size));
    // Chunks begin at even bytes.
    at = from + size + (size % 2);
  }
  return chunks;
}
