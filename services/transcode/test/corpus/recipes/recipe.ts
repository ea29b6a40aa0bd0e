/** The recipe of an odd file, and its statements about the file that it makes. */
import type { Random } from '../generators/random.ts';

export type RecipeContext = {
  /** The path of the file to write. */
  readonly path: string;
  /** A path for an intermediate file. */
  readonly at: (name: string) => string;
  readonly random: Random;
};

/** A corner's patch, from the upper left over the upper right and the lower left to the lower right. */
export type Patch = 'white' | 'black' | 'grey' | 'red';

export type Expectation = {
  /** The source's picture track, for ffmpeg's `-map`. */
  readonly pictures?: string;
  /** The source's sound track; null: the video is mute. */
  readonly sound?: string | null;
  /** How ffmpeg mixes the source's sound to one channel, where it does not know its layout. */
  readonly mono?: string;
  /** How many pictures the source shows, known from how it was made. */
  readonly frames?: number;
  /** How long the title lasts, known from how the source was made. */
  readonly seconds?: number;
  /** Pictures at the very start that refer to missing ones: the first shown picture may replace them. */
  readonly leading?: number;
  /** The source has more than sixty pictures a second. */
  readonly thinned?: boolean;
  /** Matrix and range in which the source's pictures are stored, whatever its tags declare. */
  readonly matrix?: 'bt709' | 'bt601' | 'bt2020' | 'ycgco';
  readonly range?: 'tv' | 'pc';
  /** Stored with primaries that have to be converted, although the matrix is BT.709's. */
  readonly wideGamut?: boolean;
  /** Stored as red, green and blue, without any matrix. */
  readonly rgb?: boolean;
  /** A transfer function that has to be mapped to SDR: of each picture structure is compared, colours in the patches. */
  readonly hdr?: boolean;
  /** The brightest light that the metadata of HDR pictures declares, in cd/m²; 1,000 where it declares none. */
  readonly peakLight?: number;
  /** The patches as a viewer sees them; null: the picture has none, or is too small for them. */
  readonly corners?: readonly [Patch, Patch, Patch, Patch] | null;
  /** How far the red patch may be off; more where primaries are converted. */
  readonly redSlack?: number;
  /** Lowest similarity of one picture and of their mean, where the usual bounds do not fit. */
  readonly least?: { readonly one: number; readonly mean: number };
  /** The size of the video where the source's changes: every shape is fitted inside. */
  readonly canvas?: { readonly width: number; readonly height: number };
  /** The first picture begins before the edit list does, which ffmpeg's demuxer hides: on from zero on. */
  readonly heldStart?: boolean;
  /** Seconds on the source's clock at which the video begins, where its pictures and its sound do not tell. */
  readonly begins?: number;
  /** Seconds at which a picture that is held is shown once more, so that a segment begins with one. */
  readonly repeats?: readonly number[];
  /** Which pictures of the source consist of two fields; undefined: it does not matter. */
  readonly isCombed?: (picture: number) => boolean;
  /** Each decoded picture of the source is one field of two, the top one first. */
  readonly isFields?: boolean;
  /** Width by height of a stored pixel. */
  readonly pixelAspect?: number;
  /** The code of a warning that the partner gets. */
  readonly warning?: string;
  /** Warnings that ffmpeg may print about the file, which it still decodes. */
  readonly decoderErrors?: RegExp;
};

/** What the recipes of valid files and of those that must be rejected have in common. */
export type FileRecipe = {
  /** Unique: it seeds the random numbers. */
  readonly name: string;
  /** The file name's extension. */
  readonly file: string;
  /** In every `npm test`, and not only in long runs. */
  readonly usual?: true;
  readonly make: (context: RecipeContext) => Promise<void>;
};

/** A valid file; its name is a sentence and the title of its test. */
export type Recipe = FileRecipe & { readonly expect?: Expectation };

/** A row of the table of valid files. */
export function playable(
  name: string,
  file: string,
  make: Recipe['make'],
  more: Pick<Recipe, 'usual' | 'expect'> = {},
): Recipe {
  return { name, file, make, ...more };
}

/** A file that must be rejected. */
export type Rejection = FileRecipe & {
  /** Failure codes, any of which is right. */
  readonly codes: readonly [string, ...string[]];
};
