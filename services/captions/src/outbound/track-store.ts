/** Tracks as objects in the captions bucket: stored before the row that names them, and read back for translations. */
import { AppError } from '@vds/chassis/errors';
import type { Pool } from '@vds/chassis/database/database';
import { getDocument } from '@vds/chassis/objects/documents';
import type { LiveVideo } from '@vds/chassis/cache/live-videos';
import type { Objects } from '@vds/chassis/objects/objects';
import { MAX_SENTENCE, trackDocument, type TrackDocument } from '@vds/proto/documents/track';
import { attemptPrefix, newJobFolder, videoOf } from '@vds/chassis/objects/keys';
import type { StoredTrack, TrackText } from '../domain/jobs/store-track.ts';
import type { TextCue } from '@vds/proto/documents/texts';
import { readTrackFile } from '../domain/vtt/parse-track-file.ts';
import { wholeFile, type TrackFile } from '../domain/vtt/track-files.ts';
import { tracksRevisions } from './caption-rows.ts';

/** Objects of one track that are stored concurrently. */
const CONCURRENT_PUTS = 8;
const documentName = 'track.json';
const englishName = 'english.json';
const playlistName = 'index.m3u8';
const plainName = /^[\w-][\w.-]*$/;
/** A track that is made again gets another folder. */
const immutable = 'private, max-age=31536000, immutable';

type StageJob = {
  readonly videoId: string;
  readonly attempt: number;
  readonly name: string;
  readonly fence: number;
  readonly signal: AbortSignal;
};

/** The port `StoreTrack` of a job. */
export async function storeTrack(
  captions: Objects,
  { videoId, attempt, name: job, fence, signal }: StageJob,
  files: readonly TrackFile[],
  track: TrackText,
  english?: TrackText,
): Promise<StoredTrack> {
  const folder = `${attemptPrefix(videoId, attempt)}${newJobFolder(job, fence)}/`;
  const put = ({ name, contentType, text }: TrackFile): Promise<void> =>
    captions.putBytes(`${folder}${name}`, text, { contentType, cacheControl: immutable });
  for (let at = 0; at < files.length; at += CONCURRENT_PUTS) {
    signal.throwIfAborted();
    await Promise.all(files.slice(at, at + CONCURRENT_PUTS).map(put));
  }
  const putDocument = (name: string, text: TrackText): Promise<void> =>
    put({ name, contentType: 'application/json', text: toDocument({ videoId, ...text }) });
  signal.throwIfAborted();
  if (english) await putDocument(englishName, english);
  await putDocument(documentName, track);
  return {
    playlistKey: `${folder}${playlistName}`,
    textKey: `${folder}${documentName}`,
    ...(english && { englishKey: `${folder}${englishName}` }),
  };
}

/** An engine may put more into a sentence than a document may hold. */
function toDocument({ sentences, ...document }: Omit<TrackDocument, 'version'>): string {
  const cut = sentences.map((sentence) => ({
    ...sentence,
    text: sentence.text.slice(0, MAX_SENTENCE).toWellFormed(),
  }));
  return trackDocument.write({ version: 1, ...document, sentences: cut });
}

/** Reads the document of a track that this service has stored. */
export function loadTrack(captions: Objects, key: string): Promise<TrackDocument> {
  return getDocument(captions, key, trackDocument);
}

/** Reads the cues of a track that this service has stored, from the playlist's neighbour. */
export async function loadCues(captions: Objects, playlistKey: string): Promise<TextCue[]> {
  const key = `${playlistKey.slice(0, playlistKey.lastIndexOf('/') + 1)}${wholeFile}`;
  return readTrackFile((await captions.getBytes(key)).toString('utf8'));
}

/** How the cues of live videos' tracks are read, as catalog names them to viewers. */
export function transcriptReads(captions: Objects) {
  return {
    load: async ({ videoId, tracks }: LiveVideo, language: string): Promise<readonly TextCue[]> => {
      const { playlistKey = '' } = tracks.find((track) => track.language === language) ?? {};
      if (videoOf(playlistKey) !== videoId)
        throw new AppError('INTERNAL', `video ${videoId} has the track ${playlistKey}`);
      return loadCues(captions, playlistKey);
    },
    /** In memory: two bytes a character, and the objects around it. */
    sizeOf: (cues: readonly TextCue[]): number =>
      cues.reduce((sum, { lines }) => sum + 200 + 2 * lines.join('').length, 0),
  };
}

/** What the bucket and the rows hold, for the reconciliation. */
export function inventoryOf(pool: Pool, captions: Objects) {
  return {
    ...{ pool, objects: captions },
    namedBy: (key: string) => filesOfTrack(captions, key),
    stateRevisions: (ids: readonly string[]) => tracksRevisions(pool, ids),
  };
}

/**
 * Keys of everything that a document or a playlist of a track names, itself among them.
 * @throws AppError NOT_FOUND for a missing one, INVALID_ARGUMENT for one that cannot be read
 */
export async function filesOfTrack(captions: Objects, key: string): Promise<readonly string[]> {
  if (!key.endsWith('.m3u8')) {
    await loadTrack(captions, key);
    return [key];
  }
  const folder = key.slice(0, key.lastIndexOf('/') + 1);
  const lines = (await captions.getBytes(key))
    .toString('utf8')
    .split('\n')
    .map((line) => line.trim());
  const files = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (lines[0] !== '#EXTM3U' || !files.every((file) => plainName.test(file)))
    throw new AppError('INVALID_ARGUMENT', `invalid subtitle playlist: it must list files of its folder (${key})`);
  return [key, ...files.map((file) => `${folder}${file}`)];
}
