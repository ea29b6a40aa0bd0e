/** Catalog's caption tracks, validated before their values go into playlists and object keys. */
import type { TrackOut } from '@vds/proto/generated/vds/captions/v1/Track.ts';
import { isLanguageTag } from './language-tag.ts';
import { isServable } from './media-path.ts';

export type Subtitle = {
  /** BCP 47, as in the address. */
  readonly language: string;
  /** Shown in the menu; unique per video. */
  readonly name: string;
  /** A transcription, not a translation. */
  readonly spoken: boolean;
  /** Key of the folder in the captions bucket, with a trailing slash. */
  readonly folder: string;
  /** Name of the media playlist in the folder. */
  readonly playlist: string;
};

const MAX_NAME = 100;
const unquotable = /["\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * The valid tracks, in the order of the menu.
 * @returns also the languages of the skipped ones: invalid, or a second of the same language
 */
export function readSubtitles(
  tracks: readonly TrackOut[],
  videoId: string,
): { readonly subtitles: readonly Subtitle[]; readonly skipped: readonly string[] } {
  const subtitles: Subtitle[] = [];
  const skipped: string[] = [];
  for (const { language, name: trackName, kind, playlistKey } of tracks) {
    const location = locate(playlistKey, videoId);
    const isFree = (name: string): boolean => subtitles.every((other) => other.name !== name);
    const name = [trackName, language].find((candidate) => isName(candidate) && isFree(candidate));
    const isNew = subtitles.every((other) => other.language.toLowerCase() !== language.toLowerCase());
    if (location && name !== undefined && isNew && isLanguageTag(language))
      subtitles.push({ language, name, spoken: kind === 'captions', ...location });
    else skipped.push(language);
  }
  return { subtitles, skipped };
}

/** Folder and file of a playlist's key; undefined for a key of another video. */
function locate(key: string | undefined, videoId: string): Pick<Subtitle, 'folder' | 'playlist'> | undefined {
  const prefix = `videos/${videoId}/`;
  if (key === undefined || !key.startsWith(prefix) || !key.endsWith('.m3u8')) return undefined;
  const cut = key.lastIndexOf('/') + 1;
  if (cut <= prefix.length || !isServable(key.slice(prefix.length))) return undefined;
  return { folder: key.slice(0, cut), playlist: key.slice(cut) };
}

/** RFC 8216 §4.2: a quoted string contains neither quotes nor line breaks. */
function isName(name: string): boolean {
  return name.trim() !== '' && name.length <= MAX_NAME && !unquotable.test(name);
}
