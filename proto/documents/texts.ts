/**
 * `texts.json` in the media bucket: the captions that came inside a source, as they were sent. Transcode writes it;
 * captions makes tracks of it.
 */
import { jsonDocument } from './document.ts';
import { integer, languageTag, orNull, text, version1, videoId } from './fields.ts';

/** Milliseconds from the start of the video; one line or more, plain text. */
export type TextCue = { readonly startMs: number; readonly endMs: number; readonly lines: readonly string[] };

export type TextTrack = {
  /** As in the container; null if it has none, as closed captions of television have. */
  readonly language: string | null;
  /** In the order of their beginnings; never empty. */
  readonly cues: readonly TextCue[];
};

export type TextsDocument = {
  readonly version: 1;
  readonly videoId: string;
  /** In the file's order. */
  readonly tracks: readonly TextTrack[];
};

const MAX_TEXT_TRACKS = 32;
const MAX_CUES = 20_000;
const MAX_LINES = 4;
const MAX_LINE = 200;

export const textsDocument = jsonDocument<TextsDocument>('texts.json', 64 * 2 ** 20, {
  type: 'object',
  description: 'an object',
  required: ['version', 'videoId', 'tracks'],
  properties: {
    version: version1,
    videoId,
    tracks: {
      type: 'array',
      description: `an array of at most ${MAX_TEXT_TRACKS}`,
      maxItems: MAX_TEXT_TRACKS,
      items: {
        type: 'object',
        description: 'an object',
        required: ['language', 'cues'],
        properties: {
          language: orNull(languageTag),
          cues: {
            type: 'array',
            description: `an array of 1 to ${MAX_CUES}`,
            minItems: 1,
            maxItems: MAX_CUES,
            items: {
              type: 'object',
              description: 'an object',
              required: ['startMs', 'endMs', 'lines'],
              properties: {
                startMs: integer(0),
                endMs: integer(1),
                lines: {
                  type: 'array',
                  description: `an array of 1 to ${MAX_LINES}`,
                  minItems: 1,
                  maxItems: MAX_LINES,
                  items: {
                    ...text(
                      '^[^\\p{Cc}\\p{Cs}]*$',
                      `text of at most ${MAX_LINE} characters, without control characters`,
                    ),
                    maxLength: MAX_LINE,
                  },
                },
              },
            },
          },
        },
      },
    },
  },
});
