/**
 * Whether a packet of VP8, VP9 or AV1 shows a picture. Encoders send some pictures only to predict others from; where
 * these have packets of their own, the number of packets is not the number of pictures. Only headers are read.
 */

/** The bytes of a packet from an offset on; fewer than requested at its end. */
export type PacketReader = (offset: number, length: number) => Buffer;

const FRAME_HEADER = 3;
const FRAME = 6;
/** More units than any picture consists of. */
const MAX_UNITS = 256;

const tests: Readonly<Record<string, (read: PacketReader, bytes: number) => boolean>> = {
  vp8: vp8Shows,
  vp9: vp9Shows,
  av1: av1Shows,
};

/**
 * The test for packets of a codec.
 * @returns undefined if every packet shows a picture
 */
export function showsOf(codec: string): ((read: PacketReader, bytes: number) => boolean) | undefined {
  return tests[codec];
}

function bit(byte: number | undefined, from: number): boolean {
  return (((byte ?? 0) >> from) & 1) === 1;
}

/** RFC 6386 §9.1: the frame tag's `show_frame`. A key frame without its start code is damage, not a hidden picture. */
function vp8Shows(read: PacketReader): boolean {
  const head = read(0, 6);
  const isKey = !bit(head[0], 0);
  return bit(head[0], 4) || (isKey && head.toString('hex', 3, 6) !== '9d012a');
}

/** VP9 bitstream specification §6.2: `show_existing_frame`, or `show_frame` of the uncompressed header. */
function vp9FrameShows(first: number | undefined): boolean {
  if (first === undefined || first >> 6 !== 2) return true;
  const place = (first & 0x30) === 0x30 ? 2 : 3;
  return bit(first, place) || bit(first, place - 2);
}

/** VP9 bitstream specification, annex B: frames in one packet, followed by an index. */
function vp9Shows(read: PacketReader, bytes: number): boolean {
  const marker = read(bytes - 1, 1)[0] ?? 0;
  const frames = (marker & 7) + 1;
  const width = ((marker >> 3) & 3) + 1;
  const indexBytes = 2 + frames * width;
  const index = marker >> 5 === 6 && indexBytes < bytes ? read(bytes - indexBytes, indexBytes) : Buffer.alloc(0);
  if (index.length !== indexBytes || index[0] !== marker) return vp9FrameShows(read(0, 1)[0]);
  let at = 0;
  for (let frame = 0; frame < frames; frame++) {
    const size = index.readUIntLE(1 + frame * width, width);
    if (size > 0 && vp9FrameShows(read(at, 1)[0])) return true;
    at += size;
  }
  return false;
}

/** `leb128()` of the AV1 bitstream specification §4.10.5. */
function leb128(bytes: Buffer, from: number): { readonly value: number; readonly length: number } {
  let value = 0;
  for (let index = 0; index < 8; index++) {
    const byte = bytes[from + index] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, length: index + 1 };
  }
  return { value, length: 8 };
}

/**
 * AV1 bitstream specification §5.3 and §5.9.2: a frame header with `show_existing_frame` or `show_frame`. Where no
 * frame header is found, or a forbidden bit, the packet is damaged; it counts as shown, so that decoding reveals the
 * loss.
 */
function av1Shows(read: PacketReader, bytes: number): boolean {
  let hidden = false;
  for (let at = 0, units = 0; at < bytes && units < MAX_UNITS; units++) {
    const head = read(at, 16);
    const first = head[0] ?? 0;
    const type = (first >> 3) & 15;
    const headerBytes = bit(first, 2) ? 2 : 1;
    const size = bit(first, 1) ? leb128(head, headerBytes) : { value: bytes - at - headerBytes, length: 0 };
    const body = head[headerBytes + size.length];
    if (bit(first, 7)) return true;
    if (type === FRAME || type === FRAME_HEADER) {
      if (bit(body, 7) || bit(body, 4)) return true;
      hidden = true;
    }
    at += headerBytes + size.length + size.value;
  }
  return !hidden;
}
