/** The results of an encode's jobs, as their rows hold them. */
import type { EncodedRendition } from '../cmaf/rendition.ts';
import type { CopiedRun } from '../source/stored-packets.ts';

/** `folder` is the job's, below the attempt. */
export type JobResult =
  | EncodedSound
  | EncodedAlternate
  | CopiedOriginal
  | LeftOut
  | ReadTexts
  | JoinedSound
  | CutSource
  | EncodedPiece;

export type EncodedSound = EncodedRendition & {
  readonly kind: 'sound';
  readonly index: number;
  readonly folder: string;
  /** Seconds of sound that could not be decoded. */
  readonly missing: number;
  /** As of a piece. */
  readonly copied?: CopiedRun;
};

/** Without segments where nothing of it could be decoded: it is left out. */
export type EncodedAlternate = Omit<EncodedSound, 'kind' | 'copied'> & { readonly kind: 'alternate' };

/** Of what a video can do without. */
export type LeftOut = { readonly kind: 'left-out'; readonly folder: '' };

export type CopiedOriginal = EncodedRendition & { readonly kind: 'original'; readonly folder: string };

/** The folder holds `texts.json`, unless there are no languages; '' is an unknown one. */
export type ReadTexts = { readonly kind: 'texts'; readonly folder: string; readonly languages: readonly string[] };

/** The folder holds the playlist of all sound. */
export type JoinedSound = { readonly kind: 'audio'; readonly folder: string };

/** The folder holds a copy of every piece of the source. */
export type CutSource = { readonly kind: 'cut'; readonly folder: string };

export type EncodedPiece = {
  readonly kind: 'piece';
  readonly index: number;
  readonly folder: string;
  readonly rungs: readonly EncodedRendition[];
  /** Ticks at which storyboard tiles were taken, and the number of sheets that they fill. */
  readonly tiles: readonly number[];
  readonly sheets: number;
  /** The longest time between two pictures, and where it begins, in ticks. */
  readonly widestGap: { readonly at: number; readonly length: number };
  readonly thumbnail: { readonly width: number; readonly height: number } | null;
  /** Where it was made before the source was complete. */
  readonly copied?: CopiedRun;
};

export type JobResults = {
  readonly audio: JoinedSound | null;
  /** In the video's order, as are the pieces. */
  readonly sound: readonly EncodedSound[];
  readonly alternates: readonly EncodedAlternate[];
  readonly original: CopiedOriginal | null;
  readonly texts: ReadTexts | null;
  readonly cut: CutSource | null;
  readonly pieces: readonly EncodedPiece[];
};

/** Bytes of the segments of all renditions: nearly everything stored of a video permanently. */
export function storedBytes({ sound, alternates, original, pieces }: JobResults): number {
  const renditions = [
    ...sound,
    ...alternates,
    ...(original ? [original] : []),
    ...pieces.flatMap(({ rungs }) => rungs),
  ];
  return renditions.reduce((sum, { segments }) => segments.reduce((all, { bytes }) => all + bytes, sum), 0);
}

/** Groups the results that an attempt has so far by their kind. */
export function groupResults(results: readonly JobResult[]): JobResults {
  return {
    audio: results.find((result) => result.kind === 'audio') ?? null,
    sound: results.filter((result) => result.kind === 'sound').toSorted((a, b) => a.index - b.index),
    alternates: results.filter((result) => result.kind === 'alternate').toSorted((a, b) => a.index - b.index),
    original: results.find((result) => result.kind === 'original') ?? null,
    texts: results.find((result) => result.kind === 'texts') ?? null,
    cut: results.find((result) => result.kind === 'cut') ?? null,
    pieces: results.filter((result) => result.kind === 'piece').toSorted((a, b) => a.index - b.index),
  };
}
