/** One caption track of a video, and the state of all of them (proto/vds/captions/v1/track.proto). */

/** captions: in the spoken language; subtitles: in another one. */
export type TrackKind = 'captions' | 'subtitles';

export type TrackStatus = 'processing' | 'ready' | 'failed' | 'skipped';

/**
 * Why a track failed or was skipped: the video has no sound, it has no speech, the speech engine lacks the language, no
 * route leads to the target, or the engine was unavailable or returned invalid responses until the last try.
 */
export type TrackReason = 'no_audio' | 'no_speech' | 'language_unsupported' | 'no_path' | 'engine_error';

export type Track = {
  /** BCP 47. */
  readonly language: string;
  readonly kind: TrackKind;
  /** It is the partner's own, from inside the file: nothing was recognised or translated. */
  readonly provided?: true;
  /** Of the staff, who corrected it last: engines do not make it again by themselves. */
  readonly correctedBy?: string;
  readonly status: TrackStatus;
  /** Present where failed or skipped. */
  readonly reason?: TrackReason;
  /** Shown in a player's menu; unique among the tracks of a video. */
  readonly name: string;
  /** Keys in the captions bucket, both present where ready: the HLS media playlist and the track document. */
  readonly playlistKey?: string;
  readonly textKey?: string;
  /**
   * Languages of the translation route, the spoken one first; empty where there is no route. The step to English may be
   * the speech engine's.
   */
  readonly path: readonly string[];
};

export type TrackState = {
  /** Increases by one with every change. */
  readonly revision: number;
  /** The spoken language first, then the translations in the operator's order. */
  readonly tracks: readonly Track[];
  /** Key of the spoken track's document; an empty transcript has one too. Absent while there is none. */
  readonly transcriptKey?: string;
  /**
   * Key of what the speech engine made of the same sound in English, a document in the transcript's folder: what keeps
   * that keeps both. Absent where no track needed it, and where nothing came back.
   */
  readonly englishKey?: string;
  /** Increases when the transcript's text changes; 0 while there is none. */
  readonly transcriptRevision: number;
};
