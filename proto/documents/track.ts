/**
 * `track.json` in the captions bucket: the sentences of one track with their times, for readers of text rather than
 * cues; the spoken track's is the transcript. Captions writes it and translates from it; metadata and the indexer read
 * it.
 */
import { jsonDocument } from './document.ts';
import { integer, languageTag, text, version1, videoId } from './fields.ts';

/** Milliseconds from the start of the video, end exclusive. */
type Span = { readonly startMs: number; readonly endMs: number };

/** A sentence and the times of its cues, in order, over which a translation is distributed. */
export type TrackSentence = Span & {
  readonly text: string;
  /** Another speaker begins with it. */
  readonly turn?: boolean;
  readonly cues: readonly Span[];
};

export type TrackSound = Span & { readonly kind: 'crowd' | 'music' };

export type TrackDocument = {
  readonly version: 1;
  readonly videoId: string;
  readonly language: string;
  /** captions: in the spoken language; subtitles: machine translation. */
  readonly kind: 'captions' | 'subtitles';
  /** Empty without speech. */
  readonly sentences: readonly TrackSentence[];
  /** What is heard beside speech, of which cues may be made; none of a translated track. */
  readonly sounds?: readonly TrackSound[];
};

/** Maximum number of characters of a sentence; the writer splits longer ones. */
export const MAX_SENTENCE = 2_000;
const MAX_SENTENCES = 100_000;
const MAX_CUES = 1_000;
const MAX_SOUNDS = 50_000;

const startMs = integer(0);
const span = {
  startMs,
  // JSONSchemaType does not support references to other fields.
  endMs: { ...startMs, minimum: { $data: '1/startMs' } as unknown as 0, description: 'an integer from startMs on' },
} as const;

export const trackDocument = jsonDocument<TrackDocument>('track.json', 16 * 2 ** 20, {
  type: 'object',
  description: 'an object',
  required: ['version', 'videoId', 'language', 'kind', 'sentences'],
  properties: {
    version: version1,
    videoId,
    language: languageTag,
    kind: { type: 'string', enum: ['captions', 'subtitles'], description: 'captions or subtitles' },
    sentences: {
      type: 'array',
      description: `an array of at most ${MAX_SENTENCES}`,
      maxItems: MAX_SENTENCES,
      items: {
        type: 'object',
        description: 'an object',
        required: ['startMs', 'endMs', 'text', 'cues'],
        properties: {
          ...span,
          text: {
            // Databases reject the control character NUL and lone surrogates.
            ...text('^[^\\p{Cc}\\p{Cs}]*$', `text of at most ${MAX_SENTENCE} characters, without control characters`),
            maxLength: MAX_SENTENCE,
          },
          turn: { type: 'boolean', nullable: true, description: 'true or false' },
          cues: {
            type: 'array',
            description: `an array of at most ${MAX_CUES}`,
            maxItems: MAX_CUES,
            items: { type: 'object', description: 'an object', required: ['startMs', 'endMs'], properties: span },
          },
        },
      },
    },
    sounds: {
      type: 'array',
      nullable: true,
      description: `an array of at most ${MAX_SOUNDS}`,
      maxItems: MAX_SOUNDS,
      items: {
        type: 'object',
        description: 'an object',
        required: ['startMs', 'endMs', 'kind'],
        properties: { ...span, kind: { type: 'string', enum: ['crowd', 'music'], description: 'crowd or music' } },
      },
    },
  },
});
