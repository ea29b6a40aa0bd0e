/** All decisions about one video, made once after its source was inspected; every job of its encoding follows them. */
import type { WarningCode } from '@vds/proto/warnings';
import type { FrameScan } from '../source/frame-scan.ts';
import type { ProbedVideo, VideoStream } from '../source/probe.ts';
import { makeTimeline, peakRate, type Timeline } from '../source/timeline.ts';
import { warningsOf, type SourceFile } from '../source/warnings.ts';
import type { ByteRange, SourceIndex } from '../source/source-index.ts';
import { planLadder, type Ladder } from './ladder.ts';
import { originalOf, type OriginalVariant } from './original-variant.ts';
import type { KnownPart } from './known-part.ts';
import { planBytes, withProbed } from './piece-bytes.ts';
import { nominalCuts, planPieces, whole, type Piece, type PieceRules } from './pieces.ts';
import { planSound, wholeSound, type SoundChunk } from './sound-chunks.ts';
import { planStoryboard, thumbnailPiece, type Storyboard } from './stills.ts';

export type EncodePlan = {
  readonly probe: ProbedVideo;
  readonly timeline: Timeline;
  readonly rungs: Ladder;
  /** The highest frame rate that occurs in what is delivered. */
  readonly peakRate: number;
  /** Where the largest rung consists of the source's own packets: whether its colours are still to be declared. */
  readonly copiesTop?: 'unchanged' | 'declare' | undefined;
  /** Where the source's own packets are a variant of their own, in their own codec. */
  readonly original?: OriginalVariant | undefined;
  readonly pieces: readonly Piece[];
  /** Empty where there is none. */
  readonly sound: readonly SoundChunk[];
  /** Number of the piece that the thumbnail is chosen from. */
  readonly poster: number;
  /** What it was made from, unless that is all of the source; its last piece is then the rest, which nobody encodes. */
  readonly known?: KnownPart | undefined;
  /** What a worker reads of the source besides the bytes of its piece; undefined where it reads the whole source, or a copy. */
  readonly headers?: readonly ByteRange[] | undefined;
  /** Key of the list of its packets; where there are headers. */
  readonly packetsKey?: string;
  readonly storyboard: Storyboard;
  /**
   * Pictures may refer to later ones; off where gaps between pictures are long, because the shift would be long too.
   */
  readonly bFrames: boolean;
  /** Ticks that every composition offset is raised by; an edit list in the init segment subtracts them again. */
  readonly shift: number;
  readonly warnings: readonly WarningCode[];
};

export type PlanRules = PieceRules & {
  /** Whether the largest rung may consist of the source's own packets. */
  readonly copyTop: boolean;
  /** Tracks of sound that are delivered, the first one included. */
  readonly audioTracks: number;
  /** Short side of the largest rung, in pixels. */
  readonly largestRung: number;
};

/** Up to two pictures are decoded before they are shown. */
const REORDERED = 2;
/** Seconds. Players that ignore the edit list show pictures at most this much, twice, too late. */
const MAX_SHIFTED_GAP = 0.1;

/** Duration of the video in milliseconds. */
export function durationMs({ end }: Pick<Timeline, 'end'>): number {
  return Math.round(end * 1_000);
}

/**
 * @param file with its index, where it has one that finds its parts, and what is known of it, where that is not all
 * @param scan of what is known
 */
export function planEncode(
  probed: ProbedVideo,
  scan: FrameScan,
  file: SourceFile & { readonly index?: SourceIndex | undefined; readonly known?: KnownPart | undefined },
  rules: PieceRules & Partial<Pick<PlanRules, 'audioTracks' | 'largestRung'>>,
): EncodePlan {
  const { known } = file;
  const shown = makeTimeline(probed, scan);
  const timeline = known ? { ...shown, end: known.seconds } : shown;
  const probe = withUsableSound(probed, scan, timeline, rules);
  const rungs = planLadder({ ...pictureOf(probe.video), frameRate: timeline.frameRate }, rules.largestRung);
  const planned = planPieces(scan, timeline, rules);
  const pieces = known ? withRest(planned, timeline) : planned;
  const cuts = known ? nominalCuts(timeline.end, rules.pieceSeconds).length : pieces.length - 1;
  const repeats = pieces.flatMap((piece) => piece.repeats);
  const original = known ? undefined : originalOf(probe, scan, timeline);
  const bFrames = timeline.longestGap < MAX_SHIFTED_GAP;
  return {
    probe,
    timeline,
    rungs,
    poster: thumbnailPiece(cuts + 1),
    known,
    original,
    peakRate: peakRate(scan, timeline, repeats, probe.video.tick),
    ...withParts({ probe, timeline, pieces, scan, file }, rules),
    storyboard: planStoryboard(timeline, rungs[0], rules.pieceSeconds),
    bFrames,
    shift: bFrames ? Math.ceil(REORDERED * timeline.longestGap * 90_000) + 2 : 0,
    warnings: warningsOf(probe, timeline, file, { isCopied: original !== undefined, largest: rules.largestRung }),
  };
}

/** The pieces of which all pictures are known, and one for the rest. */
function withRest(pieces: readonly Piece[], { end }: Timeline): Piece[] {
  const count = pieces.findIndex(({ copyTo }) => copyTo === undefined);
  const rest = pieces.slice(count, count + 1).map((piece) => {
    return { ...piece, to: undefined, until: end, frames: undefined, repeats: [], copyTo: undefined };
  });
  return [...pieces.slice(0, count), ...rest];
}

type Planned = Pick<EncodePlan, 'probe' | 'timeline' | 'pieces'> & {
  readonly scan: FrameScan;
  readonly file: Parameters<typeof planEncode>[2];
};

/** Pieces and sound, each with the bytes that its worker reads where the source can be read in parts. */
function withParts({ probe: { audio }, timeline, pieces, scan, file }: Planned, { pieceSeconds }: PieceRules) {
  const end = file.known?.bytes ?? file.bytes;
  const index = file.index && withProbed(file.index, scan.stored, end);
  const listed = file.known ? pieces.slice(0, -1) : pieces;
  const bytes = pieces.length > 1 && index ? planBytes(listed, scan.stored, index, end) : undefined;
  const whole = audio ? wholeSound(timeline) : [];
  if (!bytes || !index) return { pieces, sound: whole };
  const isCut = audio && !file.known;
  return {
    pieces: pieces.map((piece, place) => ({ ...piece, bytes: bytes[place] })),
    sound: isCut ? planSound({ scan, timeline, audio, index, fileBytes: end }, pieceSeconds) : whole,
    headers: index.headers,
  };
}

/**
 * A track without packets, or one that ends before the pictures begin, is not usable; without a usable one there are no
 * others, for what nobody hears by default nobody is told of.
 */
function withUsableSound(
  probe: ProbedVideo,
  { audio, packets }: FrameScan,
  { zero }: Timeline,
  { audioTracks = 1 }: { readonly audioTracks?: number },
): ProbedVideo {
  if (!audio || audio.end - zero <= 0.05) return { ...probe, audio: undefined, alternates: [] };
  const alternates = (probe.alternates ?? []).filter(({ index }) => packets.get(index) !== 0);
  return { ...probe, alternates: alternates.slice(0, audioTracks - 1) };
}

/** Upright size in square pixels: the pixels are widened or narrowed, never the height. */
export function pictureOf(video: VideoStream): { readonly width: number; readonly height: number } {
  const width = Math.max(1, Math.round(video.width * video.pixelAspect));
  const turned = video.upright.some((turn) => turn !== 'hflip' && turn !== 'vflip');
  return turned ? { width: video.height, height: width } : { width, height: video.height };
}

/** The same plan with the video in one piece: the fallback where pieces cannot be joined. */
export function asOnePiece(plan: EncodePlan): EncodePlan {
  return { ...plan, pieces: whole(plan.pieces, plan.timeline), poster: 0, headers: undefined, copiesTop: undefined };
}

/** The same plan with all sound encoded by one worker. */
export function withWholeSound(plan: EncodePlan): EncodePlan {
  return { ...plan, sound: wholeSound(plan.timeline) };
}
