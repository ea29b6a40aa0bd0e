/** The init segment of a rendition: the encoder's header, made identical for every piece of a video. */
import { AppError } from '@vds/chassis/errors';
import { childBoxes, makeBox, makeFullBox, requireBox, words, type Box } from './boxes.ts';
import { supplementalCodecsOf } from './supplemental-codecs.ts';

const identity = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/**
 * Removes the encoder's name, and subtracts the writer's composition shift from the timeline with an edit list.
 * @param written `ftyp` and `moov` as the encoder wrote them
 * @param shift ticks that every composition offset was raised by; 0 writes no edit list
 * @param timescale ticks a second of the rendition, where they are not the header's
 */
export function makeInitSegment(written: Buffer, shift: number, timescale?: number): Buffer {
  const header = timescale === undefined ? written : withTimescale(written, timescale);
  const moov = requireBox(header, 'moov');
  const parts = childBoxes(header, moov.body, moov.end)
    .filter(({ type }) => type !== 'udta')
    .map((box) => (box.type === 'trak' ? withEdits(header, box, shift) : header.subarray(box.start, box.end)));
  const [, brand = ''] = supplementalCodecsOf(header)?.split('/') ?? [];
  const ftyp = makeBox('ftyp', Buffer.from(`iso6\0\0\x02\0iso6cmfcmp41${brand}`, 'latin1'));
  return Buffer.concat([ftyp, makeBox('moov', ...parts)]);
}

function withTimescale(header: Buffer, timescale: number): Buffer {
  const bytes = Buffer.from(header);
  bytes.writeUInt32BE(timescale, timescaleAt(bytes));
  return bytes;
}

function withEdits(header: Buffer, track: Box, shift: number): Buffer {
  const inner = childBoxes(header, track.body, track.end)
    .filter(({ type }) => type !== 'edts')
    .flatMap((child) => [
      ...(child.type === 'mdia' && shift > 0 ? [editList(shift)] : []),
      child.type === 'tkhd' ? upright(header, child) : header.subarray(child.start, child.end),
    ]);
  return makeBox('trak', ...inner);
}

/** One edit over the full track that starts `mediaTime` ticks into it (ISO/IEC 14496-12 §8.6.6). */
function editList(mediaTime: number): Buffer {
  return makeBox('edts', makeFullBox('elst', 0, 0, words(1, 0, mediaTime, 0x00010000)));
}

/** A track header without rotation: ffmpeg copies the source's, although the pictures are already upright. */
function upright(header: Buffer, box: Box): Buffer {
  const bytes = Buffer.from(header.subarray(box.start, box.end));
  const matrixAt = box.body - box.start + (bytes[box.body - box.start] === 1 ? 52 : 40);
  identity.copy(bytes, matrixAt);
  return bytes;
}

/**
 * The codec as RFC 6381 writes it, read from the sample description itself.
 * @throws AppError INTERNAL for a codec that is never encoded to
 */
export function codecOf(init: Buffer): string {
  const { type, at } = decoderConfiguration(init);
  if (type === 'mp4a') return audioCodec(init, at);
  if (type === 'hvc1') return hevcCodec(init, at);
  if (type === 'av01') return av1Codec(init, at);
  return `avc1.${hex(init[at + 1])}${hex(init[at + 2])}${hex(init[at + 3])}`;
}

const configurations = { avc1: 'avcC', hvc1: 'hvcC', av01: 'av1C' } as const;

/** The type of the sample description, and where the body of its decoder configuration begins. */
export function decoderConfiguration(init: Buffer): {
  readonly type: keyof typeof configurations | 'mp4a';
  readonly at: number;
} {
  const table = requireBox(init, 'moov/trak/mdia/minf/stbl/stsd');
  const [entry] = childBoxes(init, table.body + 8, table.end);
  for (const type of ['avc1', 'hvc1', 'av01'] as const)
    if (entry?.type === type)
      return { type, at: requireBox(init, configurations[type], entry.body + 78, entry.end).body };
  if (entry?.type === 'mp4a') return { type: 'mp4a', at: requireBox(init, 'esds', entry.body + 28, entry.end).body };
  throw new AppError('INTERNAL', `unexpected sample description ${entry?.type ?? 'of no entry'}`);
}

function hex(byte: number | undefined): string {
  return (byte ?? 0).toString(16).padStart(2, '0');
}

/** ISO/IEC 14496-15 §E.3: profile, compatibility with its bits reversed, tier and level, constraints. */
function hevcCodec(init: Buffer, at: number): string {
  const [general = 0] = init.subarray(at + 1);
  const space = ['', 'A', 'B', 'C'][general >> 6] ?? '';
  const bits = init
    .readUInt32BE(at + 2)
    .toString(2)
    .padStart(32, '0');
  const compatibility = Number.parseInt(bits.split('').reverse().join(''), 2).toString(16).toUpperCase();
  const constraints = [...init.subarray(at + 6, at + 12)];
  while (constraints.at(-1) === 0) constraints.pop();
  const tier = `${(general & 0x20) === 0 ? 'L' : 'H'}${init[at + 12]}`;
  const more = constraints.map((byte) => byte.toString(16).toUpperCase());
  return [`hvc1.${space}${general & 0x1f}`, compatibility, tier, ...more].join('.');
}

/** AV1 in ISO base media, §5: profile, level and tier, depth. */
function av1Codec(init: Buffer, at: number): string {
  const [sequence = 0, depth = 0] = init.subarray(at + 1);
  const level = String(sequence & 0x1f).padStart(2, '0');
  const bits = (depth & 0x40) === 0 ? '08' : (depth & 0x20) === 0 ? '10' : '12';
  return `av01.${sequence >> 5}.${level}${(depth & 0x80) === 0 ? 'M' : 'H'}.${bits}`;
}

/** `mp4a.<object type>.<audio object type>` from an `esds` box. */
function audioCodec(bytes: Buffer, at: number): string {
  const stream = readDescriptor(bytes, at + 4);
  const decoder = readDescriptor(bytes, stream.body + 3);
  const specific = readDescriptor(bytes, decoder.body + 13);
  if (stream.tag !== 3 || decoder.tag !== 4 || specific.tag !== 5)
    throw new AppError('INTERNAL', 'unexpected descriptors in esds');
  return `mp4a.${hex(bytes[decoder.body])}.${(bytes[specific.body] ?? 0) >> 3}`;
}

/** The MPEG-4 descriptor at `at`: its tag and where its fields begin (ISO/IEC 14496-1 §8.3.3, expandable size). */
function readDescriptor(bytes: Buffer, at: number): { tag: number | undefined; body: number } {
  let body = at + 1;
  while ((bytes[body] ?? 0) & 0x80) body++;
  return { tag: bytes[at], body: body + 1 };
}

/** Ticks a second of the rendition's track. */
export function timescaleOf(init: Buffer): number {
  return init.readUInt32BE(timescaleAt(init));
}

function timescaleAt(init: Buffer): number {
  const { body } = requireBox(init, 'moov/trak/mdia/mdhd');
  return body + (init[body] === 1 ? 20 : 12);
}
