/** Transitions of the state of a video's tracks; whatever stores a new state publishes it (TracksChanged). */
import type { Track, TrackReason, TrackState } from './track.ts';

/** The outcome of one track. */
export type Outcome = Ready | NotMade;
type Ready = {
  readonly status: 'ready';
  readonly playlistKey: string;
  readonly textKey: string;
  /** Of the spoken track: whether its text has changed; always true for a first transcript. */
  readonly textChanged?: boolean;
  /** Of the spoken track: the document with its English, where it was made. */
  readonly englishKey?: string;
  /** Of a correction: who made it. What an engine makes replaces a correction. */
  readonly correctedBy?: string;
};
export type NotMade = { readonly status: 'failed' | 'skipped'; readonly reason: TrackReason };

export function openState(planned: readonly Track[]): TrackState {
  return { revision: 1, tracks: planned, transcriptRevision: 0 };
}

/** The state after one track has ended. A language that is not listed changes nothing. */
export function finish(state: TrackState, language: string, outcome: Outcome): TrackState {
  const tracks = state.tracks.map((track) => (track.language === language ? finished(track, outcome) : track));
  const spoken = tracks.some((track) => track.language === language && track.kind === 'captions');
  const after = { ...state, tracks };
  return withRevision(
    state,
    spoken && outcome.status === 'ready'
      ? withTranscript(after, outcome.textKey, outcome.textChanged ?? true, outcome.englishKey)
      : after,
  );
}

/** A ready track stays ready: a failure to make it again takes nothing from a viewer. */
function finished(track: Track, outcome: Outcome): Track {
  if (outcome.status === 'ready') {
    const { playlistKey, textKey, correctedBy } = outcome;
    return { ...bare(track), ...(correctedBy && { correctedBy }), status: 'ready', playlistKey, textKey };
  }
  return track.status === 'ready' ? track : { ...bare(track), status: outcome.status, reason: outcome.reason };
}

function bare({ language, kind, provided, name, path }: Track): Omit<Track, 'status'> {
  return { language, kind, ...(provided && { provided }), name, path };
}

/** The state with the next revision, or the same state where nothing changed, so that a repeat publishes nothing. */
export function withRevision(before: TrackState, after: TrackState): TrackState {
  return JSON.stringify(before.tracks) === JSON.stringify(after.tracks) &&
    before.transcriptKey === after.transcriptKey &&
    before.transcriptRevision === after.transcriptRevision
    ? before
    : { ...after, revision: before.revision + 1 };
}

/** A new transcript replaces the English of the old one, too, with its own or with none. */
function withTranscript(
  { englishKey: _replaced, ...state }: TrackState,
  key: string,
  textChanged: boolean,
  englishKey?: string,
): TrackState {
  return {
    ...state,
    transcriptKey: key,
    ...(englishKey !== undefined && { englishKey }),
    transcriptRevision: state.transcriptRevision + (textChanged || state.transcriptKey === undefined ? 1 : 0),
  };
}

/**
 * The state after the spoken track could not be made, which also ends every track that is not made yet.
 * @param transcriptKey the empty transcript of a video without speech; a spoken track that stays ready keeps its own
 */
export function finishAll(state: TrackState, outcome: NotMade, transcriptKey?: string): TrackState {
  const depends = ({ status, provided, kind }: Track): boolean =>
    status === 'processing' && (kind === 'captions' || !provided);
  const tracks = state.tracks.map((track) => (depends(track) ? finished(track, outcome) : track));
  const after = { ...state, tracks };
  const kept = tracks.some(({ kind, status }) => kind === 'captions' && status === 'ready');
  return withRevision(state, transcriptKey === undefined || kept ? after : withTranscript(after, transcriptKey, false));
}

/**
 * Reopens tracks, with what the engines support now.
 * @param planned the current result of `planTracks`; a language that the operator has since dropped is left unchanged
 * @param languages empty: all that failed or were skipped; a ready one that is named stays ready until it is replaced
 */
export function reopen(state: TrackState, planned: readonly Track[], languages: readonly string[]): TrackState {
  const tracks = state.tracks.map((track) => {
    const plan = planned.find(({ language, kind }) => language === track.language && kind === track.kind);
    const wanted = languages.length === 0 || languages.includes(track.language);
    const isNotMade = track.status === 'failed' || track.status === 'skipped';
    return plan !== undefined && wanted && isNotMade ? plan : track;
  });
  return withRevision(state, { ...state, tracks });
}
