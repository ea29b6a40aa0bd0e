/** One caption track of a video, and the state of all of them (proto/vds/captions/v1/track.proto). */

/** captions: in the language that is spoken; subtitles: translated by a machine. */
export type TrackKind = 'captions' | 'subtitles';

export type TrackStatus = 'processing' | 'ready' | 'failed' | 'skipped';

/**
 * Why a track failed or was skipped: the title has no sound, nobody speaks in it, the speech engine lacks the language,
 * no pair of languages leads to the target, or the engine was away or answered nonsense until the last try.
 */
export type TrackReason = 'no_audio' | 'no_speech' | 'language_unsupported' | 'no_path' | 'engine_error';

export type Track = {
  /** BCP 47. */
  readonly language: string;
  readonly kind: TrackKind;
  readonly status: TrackStatus;
  /** Present where failed or skipped. */
  readonly reason?: TrackReason;
  /** What a player's menu shows; no two tracks of a title have the same. */
  readonly name: string;
  /** Keys in the captions bucket, both present where ready: the HLS media playlist and the track document. */
  readonly playlistKey?: string;
  readonly textKey?: string;
  /** Languages that the words go through, the spoken one first; empty where there is no way. */
  readonly path: readonly string[];
};

export type TrackState = {
  /** Rises by one with every change. */
  readonly revision: number;
  /** The spoken language first, then the translations in the operator's order. */
  readonly tracks: readonly Track[];
  /** Key of the spoken track's document; an empty transcript has one too. Absent while there is none. */
  readonly transcriptKey?: string;
  /** Rises when the transcript's text changed; 0 while there is none. */
  readonly transcriptRevision: number;
};
