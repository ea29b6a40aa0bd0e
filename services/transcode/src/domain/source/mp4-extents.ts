/** Whether all boxes and samples of an mp4 or mov file lie in it (ISO/IEC 14496-12). */
import { another, damaged, extentsOf, MAX_STEPS, type EndWalk, type ExtentsWalk, type Fault } from './extents.ts';
import { areEqual, childrenOf, goesOn, type DecodeTimes } from './fragment-times.ts';
import { findSamples, isTable, type SampleTables } from './sample-tables.ts';
import { isInHole, leaveBoxes, occursBehind, type ReadRequest, type Walk } from './walk.ts';

/** What may be truncated without loss of pictures or sound. */
const padding = new Set(['free', 'skip', 'wide', 'udta', 'uuid', 'mfra']);
/** Boxes whose children are walked, with the bytes before their first child. */
const opened: Readonly<Record<string, number>> = { moov: 0, trak: 0, mdia: 0, minf: 0, stbl: 0, stsd: 8 };
/** Sample descriptions of protected tracks (ISO/IEC 23001-7, and Apple's older ones). */
const protectedEntries = new Set(['encv', 'enca', 'drmi', 'drms']);
/** Boxes without which a fragmented file has lost something. */
const fragmentBoxes = new Set('ftyp styp moov moof mdat sidx ssix emsg prft'.split(' '));
/** References from auxiliary tracks: ISO/IEC 14496-12 §8.3.3. */
const auxiliaryReferences = ['auxl', 'thmb', 'vdep', 'vplx'];

type Box = { readonly type: string; readonly header: number; readonly size: number };

type Movie = {
  readonly seen: Set<string>;
  /** Of each track, in the file's order. */
  readonly tables: SampleTables[];
  readonly auxiliary: Set<number>;
  /** The number of the last track that was met. */
  track: number;
  fileTypes: number;
  index?: ReadRequest;
  /** Where the last index ends. */
  indexEnd: number;
  readonly decodeTimes: DecodeTimes;
};

/** Walks the boxes of an mp4 or mov file (ISO/IEC 14496-12 §4.2), down to the sample descriptions. */
export function* walkMp4(fileBytes: number): ExtentsWalk {
  const movie: Movie = {
    seen: new Set(),
    tables: [],
    auxiliary: new Set(),
    track: 0,
    fileTypes: 0,
    indexEnd: 0,
    decodeTimes: new Map(),
  };
  const end = yield* walkBoxes(fileBytes, movie);
  const { seen, auxiliary } = movie;
  return {
    ...extentsOf(end),
    encrypted: [...protectedEntries].some((type) => seen.has(type)),
    ...(auxiliary.size > 0 ? { auxiliary: [...auxiliary] } : {}),
  };
}

function* walkBoxes(fileBytes: number, movie: Movie): EndWalk {
  let at = 0;
  /** Ends of the open boxes, the innermost first. */
  const ends: number[] = [];
  for (let steps = 0; at + 8 <= fileBytes; steps++) {
    if (steps > MAX_STEPS) return damaged(at);
    const box = readBox(yield { at, length: 16 }, fileBytes - at);
    if (!box && at < movie.indexEnd) {
      // Content of the index besides boxes, as in QuickTime's, is not checked.
      at = movie.indexEnd;
      continue;
    }
    if (!box || (at + box.size > fileBytes && !padding.has(box.type)))
      return yield* endOfMovie(at, box, fileBytes, movie);
    const { type, header, size } = box;
    if (yield* beginsAnother({ at, length: size }, type, movie)) return another(at);
    yield* readTrackBox(at, box, movie);
    movie.seen.add(type);
    const inner = opened[type];
    if (inner !== undefined) ends.unshift(at + size);
    at = leaveBoxes(at + (inner === undefined ? size : header + inner), ends);
  }
  return missingBox(movie.seen) ?? (at < fileBytes ? 'trailing' : undefined);
}

function missingBox(seen: ReadonlySet<string>): Fault | undefined {
  if (!seen.has('moov')) return { fault: 'no moov' };
  return seen.has('mdat') ? undefined : { fault: 'no mdat' };
}

/**
 * Where the boxes end before the file does.
 * @param box one that reaches beyond the end; undefined if there is none
 */
function* endOfMovie(at: number, box: Box | undefined, fileBytes: number, movie: Movie): EndWalk {
  const { seen, tables } = movie;
  const cut = box ? { fault: `${box.type} reaches beyond the end`, endsAt: at + box.size } : damaged(at);
  const fragmented = seen.has('mvex') || seen.has('moof');
  if (box && fragmentBoxes.has(box.type) && (fragmented || !seen.has('moov'))) return cut;
  // The media may lie in a box whose size is wrong.
  const missing = missingBox(box ? new Set([...seen, box.type]) : seen);
  if (missing) return missing;
  const samples = yield* findSamples(tables, fileBytes);
  if (samples === 'outside' || (samples === 'none listed' && box?.type === 'mdat')) return cut;
  if (!fragmented) return 'trailing';
  if (yield* isInHole(at)) return damaged(at);
  // What follows garbage in a fragmented file is lost.
  const fragment = (found: Buffer): boolean => found.toString('latin1', 8, 12) === 'mfhd';
  return (yield* occursBehind(at, fileBytes, Buffer.from('moof'), fragment)) ? damaged(at) : 'trailing';
}

/** Notes a track's number, whether it only accompanies another one, and where its tables lie. */
function* readTrackBox(at: number, { type, header, size }: Box, movie: Movie): Walk<void> {
  const content = { at: at + header, length: size - header };
  if (type === 'trak') movie.tables.push({});
  else if (isTable(type)) (movie.tables.at(-1) ?? {})[type] = content;
  else if (type === 'tkhd') {
    const head: Buffer = yield { at: content.at, length: 24 };
    movie.track = head.length === 24 ? head.readUInt32BE(head[0] === 1 ? 20 : 12) : 0;
  } else if (type === 'hdlr') {
    const handler: Buffer = yield { at: content.at + 8, length: 4 };
    if (handler.toString('latin1') === 'auxv') movie.auxiliary.add(movie.track);
  } else if (type === 'tref') {
    const references: Buffer = yield { at: content.at, length: Math.min(content.length, 1_024) };
    if (auxiliaryReferences.some((kind) => childrenOf(references, kind).length > 0)) movie.auxiliary.add(movie.track);
  }
}

/** Whether a box begins another recording. Packagers may repeat the index of one and the same. */
function* beginsAnother(place: ReadRequest, type: string, movie: Movie): Walk<boolean> {
  if (type === 'moof') return !(yield* goesOn(place, movie.decodeTimes, movie.fileTypes > 1));
  if (type === 'ftyp') movie.fileTypes++;
  if (type !== 'moov') return false;
  const { index, fileTypes, seen } = movie;
  movie.index ??= place;
  movie.indexEnd = place.at + place.length;
  if (!index || fileTypes < 2) return false;
  return !seen.has('moof') || !(yield* areEqual(index, place));
}

/** The header of a box; undefined for garbage. */
export function readBox(head: Buffer, left: number): Box | undefined {
  const type = head.toString('latin1', 4, 8);
  if (!isName(type)) return undefined;
  const small = head.readUInt32BE(0);
  const wide = small === 1 && head.length === 16;
  const size = wide ? Number(head.readBigUInt64BE(8)) : small === 0 ? left : small;
  return size < 8 ? undefined : { type, header: wide ? 16 : 8, size };
}

function isName(type: string): boolean {
  return /^[\x20-\x7e\xa9]{4}$/.test(type);
}
