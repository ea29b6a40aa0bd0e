/** What a file carries beside pictures and sound: tracks of captions, chapters. */
import { has, isObject, languageOf, number, text, type Json } from './probe-json.ts';

export type TextStream = {
  readonly index: number;
  readonly language: string | undefined;
};
/** `start` in seconds on the source's clock. */
export type SourceChapter = { readonly start: number; readonly title: string };

/** Decoders of text, by their names in ffmpeg. */
export const textDecoders = 'mov_text,subrip,srt,ass,ssa,webvtt,text,cc_dec';
const textCodecs = new Set(['mov_text', 'subrip', 'ass', 'ssa', 'webvtt', 'text', 'eia_608']);
/** Sample entries of WebVTT and TTML in mp4 (ISO/IEC 14496-30), which ffmpeg takes for data. */
const unreadTags = new Set(['wvtt', 'stpp']);
/** What is read of a file, and handed on; of more nobody could choose. */
const [MAX_TEXTS, MAX_CHAPTERS] = [32, 500];

export function isText(stream: Json): boolean {
  return stream['codec_type'] === 'subtitle' || unreadTags.has(text(stream['codec_tag_string']));
}

/**
 * The tracks that become captions, and whether others are left out: pictures of text, forced and empty ones, songs.
 * @param packets how many each stream has; undefined before they were counted
 */
export function chooseTexts(streams: readonly Json[], packets: ReadonlyMap<number, number> | undefined) {
  const chosen = streams.filter((stream) => {
    const isPartial = ['forced', 'karaoke', 'lyrics'].some((flag) => has(stream, flag));
    const isEmpty = packets !== undefined && !packets.has(number(stream['index']));
    return textCodecs.has(text(stream['codec_name'])) && !isPartial && !isEmpty;
  });
  const texts = chosen
    .slice(0, MAX_TEXTS)
    .map((stream): TextStream => ({ index: number(stream['index']), language: languageOf(stream) }));
  return { texts, textsLeftOut: texts.length < streams.length };
}

export function readChapters(chapters: readonly Json[]): SourceChapter[] {
  return chapters
    .slice(0, MAX_CHAPTERS)
    .map(({ start_time: start, tags }) => ({ start: number(start), title: isObject(tags) ? text(tags['title']) : '' }));
}
