/** The port that stores a track. */
import type { TrackDocument } from '@vds/proto/documents/track';
import type { TrackFile } from '../vtt/track-files.ts';

export type TrackText = Omit<TrackDocument, 'version' | 'videoId'>;
export type StoredTrack = { readonly playlistKey: string; readonly textKey: string; readonly englishKey?: string };

/**
 * Stores one track in the folder of the job that made it, its document last.
 * @param files none for a transcript without words, which is only a document
 * @param english what the speech engine made of the same sound in English: a second document
 */
export type StoreTrack = (files: readonly TrackFile[], track: TrackText, english?: TrackText) => Promise<StoredTrack>;
