/** Identifies a file by its first bytes. Decides which one demuxer may open it; no other is ever tried. */

export type Demuxer = 'mov' | 'matroska';

export type Sniffed =
  | { readonly kind: 'container'; readonly demuxer: Demuxer }
  | { readonly kind: 'empty' }
  /** Another container or stream that may hold a video. */
  | { readonly kind: 'foreign'; readonly name: string }
  /** An audio file. */
  | { readonly kind: 'audio'; readonly name: string }
  | { readonly kind: 'not_video'; readonly name: string };

/** How many bytes `sniff` needs. */
export const SNIFF_LENGTH = 4_096;

const movBoxes = new Set(['ftyp', 'styp', 'moov', 'mdat', 'moof', 'sidx', 'wide', 'free', 'skip', 'pnot', 'uuid']);
const imageBrands = new Set(['heic', 'heix', 'heim', 'heis', 'mif1', 'msf1', 'avif']);
const EBML = 0x1a45dfa3;
const ASF = 0x3026b275;

/** Signatures at the start of the file, in Latin-1. */
const signatures: readonly (readonly [string, Sniffed])[] = [
  ['FLV\x01', { kind: 'foreign', name: 'flv' }],
  ['\x00\x00\x01\xba', { kind: 'foreign', name: 'mpeg program stream' }],
  ['\x00\x00\x01\xb3', { kind: 'foreign', name: 'mpeg video stream' }],
  ['OggS', { kind: 'foreign', name: 'ogg' }],
  ['.RMF', { kind: 'foreign', name: 'realmedia' }],
  ['\x06\x0e\x2b\x34', { kind: 'foreign', name: 'mxf' }],
  ['DKIF', { kind: 'foreign', name: 'ivf' }],
  ['YUV4MPEG2', { kind: 'foreign', name: 'y4m' }],
  ['ID3', { kind: 'audio', name: 'mp3' }],
  ['\xff\xfb', { kind: 'audio', name: 'mp3' }],
  ['\xff\xf3', { kind: 'audio', name: 'mp3' }],
  ['\xff\xf1', { kind: 'audio', name: 'aac' }],
  ['\xff\xf9', { kind: 'audio', name: 'aac' }],
  ['fLaC', { kind: 'audio', name: 'flac' }],
  ['FORM', { kind: 'audio', name: 'aiff' }],
  ['caff', { kind: 'audio', name: 'caf' }],
  ['#EXTM3U', { kind: 'not_video', name: 'hls playlist' }],
  ['\x89PNG', { kind: 'not_video', name: 'image' }],
  ['\xff\xd8\xff', { kind: 'not_video', name: 'image' }],
  ['GIF8', { kind: 'not_video', name: 'image' }],
  ['%PDF', { kind: 'not_video', name: 'pdf' }],
  ['PK\x03\x04', { kind: 'not_video', name: 'archive' }],
  ['\x1f\x8b', { kind: 'not_video', name: 'archive' }],
];

/**
 * Identifies a file by its first bytes.
 * @param head its first `sniffLength` bytes, or all of a shorter file
 */
export function sniff(head: Buffer): Sniffed {
  if (head.length === 0) return { kind: 'empty' };
  const box = head.toString('latin1', 4, 8);
  if (box === 'ftyp' && imageBrands.has(head.toString('latin1', 8, 12))) return { kind: 'not_video', name: 'image' };
  if (movBoxes.has(box)) return { kind: 'container', demuxer: 'mov' };
  if (head.length >= 4 && head.readUInt32BE(0) === EBML) return { kind: 'container', demuxer: 'matroska' };
  if (head.length >= 4 && head.readUInt32BE(0) === ASF) return { kind: 'foreign', name: 'asf' };
  const text = head.toString('latin1', 0, 16);
  if (text.startsWith('RIFF')) return riff(head);
  const known = signatures.find(([signature]) => text.startsWith(signature));
  if (known) return known[1];
  if (isTransportStream(head)) return { kind: 'foreign', name: 'mpeg transport stream' };
  return { kind: 'not_video', name: isText(head) ? textName(head) : 'unknown' };
}

function riff(head: Buffer): Sniffed {
  const form = head.toString('latin1', 8, 12);
  if (form === 'WAVE') return { kind: 'audio', name: 'wav' };
  if (form === 'WEBP') return { kind: 'not_video', name: 'image' };
  return { kind: 'foreign', name: form === 'AVI ' ? 'avi' : 'riff' };
}

/** Sync bytes of MPEG-TS every 188 bytes, or every 192 with a time code before each packet. */
function isTransportStream(head: Buffer): boolean {
  return [
    [0, 188],
    [4, 192],
  ].some(([first = 0, step = 188]) => [0, 1, 2, 3].every((packet) => head[first + packet * step] === 0x47));
}

function isText(head: Buffer): boolean {
  return head.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

function textName(head: Buffer): string {
  const start = head.toString('latin1', 0, 512).replace('\xef\xbb\xbf', '').trimStart().toLowerCase();
  if (start.startsWith('#extm3u')) return 'hls playlist';
  if (start.startsWith('<mpd') || (start.startsWith('<?xml') && start.includes('<mpd'))) return 'dash manifest';
  return start.startsWith('<!doctype html') || start.startsWith('<html') ? 'web page' : 'text';
}
