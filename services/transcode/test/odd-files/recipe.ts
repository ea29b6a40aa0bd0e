/** What a recipe of an odd file is, and what it says about the file it makes. */
import type { Chance } from './chance.ts';

export type Bench = {
  /** Where the file is to be written. */
  readonly path: string;
  /** A path for what is made on the way. */
  readonly at: (name: string) => string;
  readonly chance: Chance;
};

/** A corner's patch, from the upper left over the upper right and the lower left to the lower right. */
export type Patch = 'white' | 'black' | 'grey' | 'red';

export type Expectation = {
  /** The source's picture track, as ffmpeg's `-map` has it. */
  readonly pictures?: string;
  /** The source's sound track; null: the title is mute. */
  readonly sound?: string | null;
  /** How many pictures the source shows, known from how it was made. */
  readonly frames?: number;
  /** How long the pictures last, known from how the source was made. */
  readonly seconds?: number;
  /** Pictures at the very start that refer to what is not in the file: the first one shown may stand for them. */
  readonly leading?: number;
  /** The source has more than sixty pictures a second. */
  readonly thinned?: boolean;
  /** Matrix and range in which the source's pictures are stored, whatever its tags say. */
  readonly matrix?: 'bt709' | 'bt601' | 'bt2020';
  readonly range?: 'tv' | 'pc';
  /** Stored as red, green and blue, without any matrix. */
  readonly rgb?: boolean;
  /** A transfer function that has to be mapped to SDR: colours are not compared, structure is. */
  readonly hdr?: boolean;
  /** The patches as a viewer sees them; null: the picture has none, or is too small for them. */
  readonly corners?: readonly [Patch, Patch, Patch, Patch] | null;
  /** How far the red patch may be off; more where primaries are converted. */
  readonly redSlack?: number;
  /** Lowest likeness of one picture and of their mean, where the usual bars are not right. */
  readonly least?: { readonly one: number; readonly mean: number };
  /** Width by height of a stored pixel. */
  readonly pixelAspect?: number;
  /** What ffmpeg may say about the file, which it decodes all the same. */
  readonly complaints?: RegExp;
};

export type Recipe = {
  /** A sentence's end: "every valid file plays, and plays right: …". */
  readonly name: string;
  /** Ending of the file's name. */
  readonly file: string;
  /** In every `npm test`, and not only in long runs. */
  readonly usual?: true;
  readonly make: (bench: Bench) => Promise<void>;
  readonly expect?: Expectation;
};

/** A file that must be refused. */
export type Refusal = {
  readonly name: string;
  readonly file: string;
  readonly usual?: true;
  readonly make: (bench: Bench) => Promise<void>;
  /** Failure codes, any of which is right. */
  readonly codes: readonly [string, ...string[]];
};
