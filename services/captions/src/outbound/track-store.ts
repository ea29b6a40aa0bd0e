/** Tracks as objects in the captions bucket: stored before the row that names them, and read back for translations. */
import { getDocument } from '@vds/chassis/objects/documents';
import type { Objects } from '@vds/chassis/objects/objects';
import { longestSentence, trackDocument, type TrackDocument } from '@vds/proto/documents/track';
import type { TrackFile } from '../domain/vtt/segments.ts';

/** Objects of one track that are stored concurrently. */
const AT_A_TIME = 8;
const documentName = 'track.json';
const playlistName = 'index.m3u8';
/** A track that is made again gets another folder. */
const forGood = 'private, max-age=31536000, immutable';

export type StoredTrack = { readonly playlistKey: string; readonly textKey: string };

/**
 * Stores one track below `folder` (with a trailing slash), its document last.
 * @param files none for a transcript without words, which is only a document
 */
export async function storeTrack(
  captions: Objects,
  folder: string,
  files: readonly TrackFile[],
  document: Omit<TrackDocument, 'version'>,
  signal: AbortSignal,
): Promise<StoredTrack> {
  const put = ({ name, contentType, text }: TrackFile): Promise<void> =>
    captions.putBytes(`${folder}${name}`, text, { contentType, cacheControl: forGood });
  for (let at = 0; at < files.length; at += AT_A_TIME) {
    signal.throwIfAborted();
    await Promise.all(files.slice(at, at + AT_A_TIME).map(put));
  }
  signal.throwIfAborted();
  await put({ name: documentName, contentType: 'application/json', text: write(document) });
  return { playlistKey: `${folder}${playlistName}`, textKey: `${folder}${documentName}` };
}

/** An engine may put more into a sentence than a document may hold. */
function write({ sentences, ...document }: Omit<TrackDocument, 'version'>): string {
  const cut = sentences.map((sentence) => ({
    ...sentence,
    text: sentence.text.slice(0, longestSentence).toWellFormed(),
  }));
  return trackDocument.write({ version: 1, ...document, sentences: cut });
}

/** Reads the document of a track that this service has stored. */
export function loadTrack(captions: Objects, key: string): Promise<TrackDocument> {
  return getDocument(captions, key, trackDocument);
}
