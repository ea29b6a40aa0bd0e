/** Tracks as objects in the captions bucket: stored before the row that names them, and read back for translations. */
import type { Objects } from '@vds/chassis/objects/objects';
import { readTrackDocument, writeTrackDocument, type TrackDocument } from '../domain/track-document.ts';
import type { TrackFile } from '../domain/vtt/segments.ts';

/** Objects of one track that are stored at a time. */
const AT_A_TIME = 8;
const documentName = 'track.json';
const playlistName = 'index.m3u8';
/** A track that is made anew lies in another folder. */
const forGood = 'private, max-age=31536000, immutable';
/** The words of a day and a half of talking. */
const DOCUMENT_BYTES = 32 * 2 ** 20;

export type StoredTrack = { readonly playlistKey: string; readonly textKey: string };

/**
 * Stores one track below `folder` (with a slash at its end), its document last.
 * @param files none for a transcript without words: it has a document alone
 */
export async function storeTrack(
  captions: Objects,
  folder: string,
  files: readonly TrackFile[],
  document: TrackDocument,
  signal: AbortSignal,
): Promise<StoredTrack> {
  const put = ({ name, contentType, text }: TrackFile): Promise<void> =>
    captions.putBytes(`${folder}${name}`, text, { contentType, cacheControl: forGood });
  for (let at = 0; at < files.length; at += AT_A_TIME) {
    signal.throwIfAborted();
    await Promise.all(files.slice(at, at + AT_A_TIME).map(put));
  }
  signal.throwIfAborted();
  await put({ name: documentName, contentType: 'application/json', text: writeTrackDocument(document) });
  return { playlistKey: `${folder}${playlistName}`, textKey: `${folder}${documentName}` };
}

/** Reads the document of a track of ours. */
export async function loadTrack(captions: Objects, key: string): Promise<TrackDocument> {
  const { size } = await captions.stat(key);
  if (size > DOCUMENT_BYTES) throw new Error(`${key} has ${size} bytes`);
  return readTrackDocument((await captions.getBytes(key)).toString('utf8'));
}
