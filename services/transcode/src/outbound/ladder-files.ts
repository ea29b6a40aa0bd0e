/** Every object that a stored ladder names: what must exist while its video can be played. */
import { AppError } from '@vds/chassis/errors';
import { getDocument } from '@vds/chassis/objects/documents';
import type { Objects } from '@vds/chassis/objects/objects';
import { attemptPrefix } from '@vds/chassis/objects/keys';
import { ladderDocument, type LadderDocument } from '@vds/proto/documents/ladder';
import { mediaPlaylist } from '@vds/proto/documents/media-playlist';
import { storyboardSheets } from '../domain/hls/storyboard-track.ts';

export type StoredLadder = { readonly document: LadderDocument; readonly keys: readonly string[] };

/** A track of a day with a tile every two seconds has about 4 MiB. */
const MAX_TRACK_BYTES = 8 * 2 ** 20;

/**
 * Reads a ladder, its playlists and its storyboard.
 * @returns the document and the keys of all objects that it names, itself among them
 * @throws AppError NOT_FOUND when one of the documents is missing, INVALID_ARGUMENT when one is malformed
 */
export async function readLadderFiles(media: Pick<Objects, 'getBytes'>, ladderKey: string): Promise<StoredLadder> {
  const document = await getDocument(media, ladderKey, ladderDocument);
  const prefix = attemptPrefix(document.videoId, document.attempt);
  if (!ladderKey.startsWith(prefix))
    throw new AppError('INVALID_ARGUMENT', `invalid ladder.json: it must be of ${prefix} (${ladderKey})`);
  const { rungs, original, audio, alternates = [], texts } = document;
  const renditions = [...rungs, ...(original ? [original] : []), ...(audio ? [audio] : []), ...alternates];
  const keys = [
    ladderKey,
    `${prefix}${document.thumbnail.path}`,
    ...(texts === undefined ? [] : [`${prefix}${texts}`]),
  ];
  for (const { playlist } of renditions) {
    const { init, segments } = await getDocument(media, `${prefix}${playlist}`, mediaPlaylist);
    keys.push(`${prefix}${playlist}`, init, ...segments.map(({ key }) => key));
  }
  for (const { pictures } of rungs) if (pictures) keys.push(`${prefix}${pictures.playlist}`);
  const track = `${prefix}${document.storyboard.track}`;
  const text = (await media.getBytes(track, MAX_TRACK_BYTES)).toString('utf8');
  keys.push(track, ...storyboardSheets(text).map((sheet) => resolve(track, sheet)));
  return { document, keys: [...new Set(keys)] };
}

/** The key of an address relative to the object `from`. */
function resolve(from: string, uri: string): string {
  const url = URL.parse(uri, `https://media.invalid/${from}`);
  if (url) return url.pathname.slice(1);
  throw new AppError('INVALID_ARGUMENT', `invalid storyboard: '${uri.slice(0, 100)}' must be an address (${from})`);
}
