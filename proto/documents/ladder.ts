/**
 * `ladder.json` in the media bucket: the renditions of an encoded video. Transcode writes it; playback builds the
 * master playlist from it, metadata finds the renditions in it. Paths are relative to `videos/<id>/<attempt>/`, as
 * players request them.
 */
import { jsonDocument } from './document.ts';
import { integer, languageTag, orNull, path, positive, text, version1, videoId } from './fields.ts';

type Rendition = {
  /** Peak bits per second of only video or audio: a variant with audio adds both. */
  readonly bandwidth: number;
  readonly averageBandwidth: number;
  readonly codecs: string;
  readonly playlist: string;
};

export type LadderRung = Rendition & {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Frames per second; the average for a variable rate. */
  readonly frameRate: number;
  /** Its I-frame playlist; absent in documents of earlier releases. */
  readonly pictures?: {
    /** Peak bits per second. */
    readonly bandwidth: number;
    readonly playlist: string;
  };
};

export type LadderAudio = Rendition & {
  readonly channels: number;
  readonly sampleRate: number;
  /** As in the container; null if it has none. */
  readonly language: string | null;
  /** What the file calls it. */
  readonly title?: string;
  /** Absent in documents of earlier releases: main. */
  readonly role?: (typeof soundRoles)[number];
};

/** The partner's own pictures, copied. */
export type LadderOriginal = LadderRung & {
  /** As HLS calls it (draft-pantos-hls-rfc8216bis, VIDEO-RANGE). */
  readonly range: (typeof videoRanges)[number];
  /** Whether each segment can be decoded by itself (RFC 8216 §4.3.5.1). */
  readonly independent: boolean;
  /** What some players see beyond `codecs`, and the base layer's brand (draft-pantos-hls-rfc8216bis). */
  readonly supplementalCodecs?: string;
};

export type LadderChapter = { readonly startMs: number; readonly title: string };

export type LadderDocument = {
  readonly version: 1;
  readonly videoId: string;
  readonly attempt: number;
  readonly durationMs: number;
  readonly frames: number;
  /** Largest first; never empty. */
  readonly rungs: readonly LadderRung[];
  /** In HEVC or AV1, for players that play it; absent where the source is neither, or is no good for it. */
  readonly original?: LadderOriginal;
  /** Null for a video without sound. */
  readonly audio: LadderAudio | null;
  /** The file's other tracks of sound, in its order; absent if there are none. */
  readonly alternates?: readonly LadderAudio[];
  /** The captions inside the source (texts.ts); absent where there are none. */
  readonly texts?: string;
  /** Of the file, in their order; absent where it has none. */
  readonly chapters?: readonly LadderChapter[];
  readonly thumbnail: { readonly path: string; readonly width: number; readonly height: number };
  readonly storyboard: {
    readonly track: string;
    readonly intervalSeconds: number;
    readonly tile: { readonly width: number; readonly height: number };
  };
};

/** What a track of sound is for: a description is for the blind, clean sound for those who hear little. */
export const soundRoles = ['main', 'commentary', 'description', 'clean'] as const;

export const videoRanges = ['SDR', 'PQ', 'HLG'] as const;

const MAX_RUNGS = 32;
const MAX_SIDE = 16_384;

const rendition = {
  bandwidth: integer(1),
  averageBandwidth: integer(1),
  codecs: text('^[0-9A-Za-z.-]{1,64}(?:,[0-9A-Za-z.-]{1,64}){0,7}$', 'codecs as RFC 6381 writes them'),
  playlist: path('m3u8'),
} as const;
const size = { width: integer(1, MAX_SIDE), height: integer(1, MAX_SIDE) } as const;
/** Frames in 4:2:0 have even dimensions. */
const frameSize = { width: integer(2, MAX_SIDE), height: integer(2, MAX_SIDE) } as const;

const rung = {
  type: 'object',
  description: 'an object',
  required: ['name', 'width', 'height', 'frameRate', 'bandwidth', 'averageBandwidth', 'codecs', 'playlist'],
  properties: {
    name: text('^[0-9A-Za-z]{1,16}$', 'letters and digits'),
    ...frameSize,
    frameRate: positive(1_000),
    ...rendition,
    pictures: {
      type: 'object',
      description: 'an object',
      nullable: true,
      required: ['bandwidth', 'playlist'],
      properties: { bandwidth: integer(1), playlist: path('m3u8') },
    },
  },
} as const;

const audio = {
  type: 'object',
  description: 'an object',
  required: ['channels', 'sampleRate', 'language', 'bandwidth', 'averageBandwidth', 'codecs', 'playlist'],
  properties: {
    channels: integer(1, 64),
    sampleRate: integer(1),
    language: orNull(languageTag),
    title: {
      ...text('^[^"\\p{Cc}\\p{Zl}\\p{Zp}]{1,60}$', 'up to 60 characters in one line without quotation marks'),
      nullable: true,
    },
    role: { type: 'string', enum: soundRoles, description: soundRoles.join(', '), nullable: true },
    ...rendition,
  },
} as const;

export const ladderDocument = jsonDocument<LadderDocument>('ladder.json', 2 ** 20, {
  type: 'object',
  description: 'an object',
  required: ['version', 'videoId', 'attempt', 'durationMs', 'frames', 'rungs', 'audio', 'thumbnail', 'storyboard'],
  properties: {
    version: version1,
    videoId,
    attempt: integer(1),
    durationMs: integer(1),
    frames: integer(1),
    rungs: {
      type: 'array',
      description: `a non-empty array of at most ${MAX_RUNGS}`,
      minItems: 1,
      maxItems: MAX_RUNGS,
      items: rung,
    },
    original: {
      ...rung,
      nullable: true,
      required: [...rung.required, 'range', 'independent'],
      properties: {
        ...rung.properties,
        independent: { type: 'boolean', description: 'true or false' },
        supplementalCodecs: {
          ...text('^[0-9A-Za-z.]{1,64}/[0-9a-z]{4}$', 'a codec and a brand'),
          nullable: true,
        },
        range: { type: 'string', enum: videoRanges, description: videoRanges.join(', ') },
      },
    },
    audio: orNull(audio),
    alternates: {
      type: 'array',
      description: `an array of at most ${MAX_RUNGS}`,
      nullable: true,
      maxItems: MAX_RUNGS,
      items: audio,
    },
    texts: { ...path('json'), nullable: true },
    chapters: {
      type: 'array',
      description: 'an array of at most 500',
      nullable: true,
      maxItems: 500,
      items: {
        type: 'object',
        description: 'an object',
        required: ['startMs', 'title'],
        properties: {
          startMs: integer(0),
          title: text('^[^\\p{Cc}\\p{Cs}]{0,200}$', 'text of at most 200 characters without control characters'),
        },
      },
    },
    thumbnail: {
      type: 'object',
      description: 'an object',
      required: ['path', 'width', 'height'],
      properties: { path: path('jpg'), ...size },
    },
    storyboard: {
      type: 'object',
      description: 'an object',
      required: ['track', 'intervalSeconds', 'tile'],
      properties: {
        track: path('vtt'),
        intervalSeconds: positive(86_400),
        tile: { type: 'object', description: 'an object', required: ['width', 'height'], properties: size },
      },
    },
  },
});
