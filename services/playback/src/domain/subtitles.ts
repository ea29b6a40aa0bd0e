/** Caption tracks as catalog tells them: read with care, as what they say goes into playlists and keys. */
import type { TrackOut } from '@vds/proto/generated/vds/captions/v1/Track.ts';
import { isLanguageTag } from './language-tag.ts';
import { isServable } from './media-path.ts';

export type Subtitle = {
  /** BCP 47, as it stands in the address. */
  readonly language: string;
  /** What the menu shows: no other of the video has it. */
  readonly name: string;
  /** The words that are spoken, not their translation. */
  readonly spoken: boolean;
  /** Key of the folder in the captions bucket, with its slash. */
  readonly folder: string;
  /** Name of the media playlist in the folder. */
  readonly playlist: string;
};

const LONGEST_NAME = 100;
const unquotable = /["\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * The tracks that can be offered, in the order of the menu.
 * @returns beside them, the languages of those that are left out: of another shape, or a second of the same language
 */
export function readSubtitles(
  tracks: readonly TrackOut[],
  videoId: string,
): { readonly subtitles: readonly Subtitle[]; readonly leftOut: readonly string[] } {
  const subtitles: Subtitle[] = [];
  const leftOut: string[] = [];
  for (const { language, name: told, kind, playlistKey } of tracks) {
    const place = placeOf(playlistKey, videoId);
    const isFree = (name: string): boolean => subtitles.every((other) => other.name !== name);
    const name = [told, language].find((candidate) => isName(candidate) && isFree(candidate));
    const isNew = subtitles.every((other) => other.language.toLowerCase() !== language.toLowerCase());
    if (place && name !== undefined && isNew && isLanguageTag(language))
      subtitles.push({ language, name, spoken: kind === 'captions', ...place });
    else leftOut.push(language);
  }
  return { subtitles, leftOut };
}

/** Folder and file of a playlist's key; undefined for a key that is not the video's own. */
function placeOf(key: string | undefined, videoId: string): Pick<Subtitle, 'folder' | 'playlist'> | undefined {
  const prefix = `videos/${videoId}/`;
  if (key === undefined || !key.startsWith(prefix) || !key.endsWith('.m3u8')) return undefined;
  const cut = key.lastIndexOf('/') + 1;
  if (cut <= prefix.length || !isServable(key.slice(prefix.length))) return undefined;
  return { folder: key.slice(0, cut), playlist: key.slice(cut) };
}

/** RFC 8216 §4.2: neither quotes nor line breaks can stand in a quoted string. */
function isName(name: string): boolean {
  return name.trim() !== '' && name.length <= LONGEST_NAME && !unquotable.test(name);
}
