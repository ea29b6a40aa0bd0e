/** The sound of one attempt and all its tracks: which of them are being made, by which round, and what comes of it. */
import { planTracks, type TrackQuestion } from './plan-tracks.ts';
import { openState, reopen, settle, settleAll, type Outcome } from './track-state.ts';
import type { Track, TrackState } from './track.ts';

export type CaptionRequest = {
  /** ISO 639-1, as the partner said. */
  readonly language: string;
  readonly durationMs: number;
  readonly hasAudio: boolean;
  /** In the media bucket; empty without sound. */
  readonly audioPlaylistKey: string;
};

export type CaptionJob = CaptionRequest & {
  readonly videoId: string;
  readonly attempt: number;
  readonly publisherId: string;
  /** Which asking of the stage the title is being made for. */
  readonly stageRevision: number;
  /** Rises with every making: the first one, and each retry. */
  readonly round: number;
  readonly state: TrackState;
  /** Tracks under way: language to the round that makes it. A result of another round is not taken. */
  readonly making: Readonly<Record<string, number>>;
  readonly chunks: number;
  /** Hearing pieces that nobody has heard yet. */
  readonly chunksLeft: number;
  /** Of the transcript's text; empty while there is none. */
  readonly transcriptDigest: string;
};

/** What is known of the engines: an absent part is of one that could not be asked. */
export type Known = {
  readonly speechLanguages: readonly string[] | undefined;
  readonly routes: TrackQuestion['routes'] | undefined;
};

export type Reopened = {
  readonly title: CaptionJob;
  /** The speech is to be heard in this round. */
  readonly hear: boolean;
  /** Tracks to be translated from the transcript that there is. */
  readonly translate: readonly string[];
};

/** A title as it is first asked for. */
export function openJob(
  asked: CaptionRequest & Pick<CaptionJob, 'videoId' | 'attempt' | 'publisherId' | 'stageRevision'>,
  planned: readonly Track[],
): CaptionJob {
  return {
    ...asked,
    round: 0,
    state: openState(planned),
    making: makingAll(planned.filter(isOpen), 0),
    chunks: 0,
    chunksLeft: 0,
    transcriptDigest: '',
  };
}

function makingAll(tracks: readonly Track[], round: number): Record<string, number> {
  return Object.fromEntries(tracks.map(({ language }) => [language, round]));
}

function isOpen({ status }: Track): boolean {
  return status === 'processing';
}

/** Nothing of the title is under way. */
export function isSettled({ making }: CaptionJob): boolean {
  return Object.keys(making).length === 0;
}

/**
 * Tracks still to come, planned again now that the engines were asked; those that cannot be made come to their end. Where
 * nobody can hear the speech nothing is under way any more, not even what would have replaced a ready track.
 */
export function replan(title: CaptionJob, planned: readonly Track[]): CaptionJob {
  const [spoken] = planned;
  const stop =
    spoken && !isOpen(spoken) ? { status: spoken.status, ...(spoken.reason && { reason: spoken.reason }) } : {};
  const tracks = title.state.tracks.map((track) =>
    isOpen(track) ? (planned.find(({ language }) => language === track.language) ?? { ...track, ...stop }) : track,
  );
  const ended = new Set(
    tracks
      .filter((track, index) => !isOpen(track) && isOpen(title.state.tracks[index] ?? track))
      .map((t) => t.language),
  );
  const making = without(title.making, (language) => 'status' in stop || ended.has(language));
  const moved = JSON.stringify(tracks) !== JSON.stringify(title.state.tracks);
  const state = moved ? { ...title.state, tracks, revision: title.state.revision + 1 } : title.state;
  return { ...title, state, making };
}

function without(
  making: CaptionJob['making'],
  gone: (language: string, round: number) => boolean,
): CaptionJob['making'] {
  return Object.fromEntries(Object.entries(making).filter(([language, round]) => !gone(language, round)));
}

/**
 * The title after one track came to its end; the very same where `round` no longer makes it.
 * @param path the way that its words went
 */
export function settleTrack(
  title: CaptionJob,
  round: number,
  language: string,
  outcome: Outcome,
  path?: readonly string[],
): CaptionJob {
  if (!isInProgress(title, language, round)) return title;
  const tracks = title.state.tracks.map((track) =>
    path !== undefined && track.language === language ? { ...track, path } : track,
  );
  return {
    ...title,
    state: settle({ ...title.state, tracks }, language, outcome),
    making: without(title.making, (other) => other === language),
  };
}

/** Whether `round` still makes the track of `language`. */
export function isInProgress({ making }: CaptionJob, language: string, round: number): boolean {
  return making[language] === round;
}

/** The title after the speech could not be heard: whatever waited for it comes to its end. */
export function settleGeneration(
  title: CaptionJob,
  round: number,
  outcome: Parameters<typeof settleAll>[1],
  transcriptKey?: string,
): CaptionJob {
  if (!isInProgress(title, spokenLanguage(title), round)) return title;
  return { ...title, state: settleAll(title.state, outcome, transcriptKey), making: {} };
}

export function spokenLanguage({ state, language }: Pick<CaptionJob, 'state' | 'language'>): string {
  return state.tracks.find(({ kind }) => kind === 'captions')?.language ?? language;
}

/**
 * A title whose stage is asked for once more: it is heard anew, and what is ready stays so until it is replaced. Its
 * tracks are those it was listed with: one under way must not be left without a round, whatever the operator's list is now.
 */
export function requestAgain(
  before: CaptionJob,
  asked: CaptionRequest & Pick<CaptionJob, 'stageRevision'>,
): CaptionJob {
  const title = { ...before, ...asked, round: before.round + 1, making: {} };
  const translated = title.state.tracks.filter(({ kind }) => kind === 'subtitles').map(({ language }) => language);
  const planned = planFor(title, translated, { speechLanguages: undefined, routes: undefined });
  return reopenJob(title, planned, [spokenLanguage(title)]).title;
}

/** The tracks of a title as the engines are; what an engine that is away would have said is left to be found out. */
export function planFor(title: CaptionRequest, targets: readonly string[], known: Known): Track[] {
  return planTracks({
    source: title.language,
    targets,
    speechLanguages: known.speechLanguages ?? ['*'],
    routes: known.routes ?? (() => []),
    hasAudio: title.hasAudio,
  });
}

/**
 * Makes tracks anew, as the engines are now. What is under way already goes on, and what they still cannot make stays
 * as it is. The spoken track takes every other one along: they are translations of its text.
 * @param languages empty: all that failed or were skipped
 */
export function reopenJob(title: CaptionJob, planned: readonly Track[], languages: readonly string[]): Reopened {
  const spoken = spokenLanguage(title);
  const over = title.state.tracks.filter(({ status }) => status === 'failed' || status === 'skipped');
  const chosen = languages.length > 0 ? languages : over.map(({ language }) => language);
  const anew = chosen.includes(spoken) || (chosen.length > 0 && title.state.transcriptKey === undefined);
  const wanted = anew ? title.state.tracks.map(({ language }) => language) : chosen;
  const nothing = { title, hear: false, translate: [] };
  const state = wanted.length === 0 ? title.state : reopen(title.state, planned, wanted);
  const hearing = title.making[spoken];
  const makes = (language: string): boolean => {
    const can = planned.find((track) => track.language === language)?.status === 'processing';
    // A translation of the old text that is under way is not waited for.
    return (
      wanted.includes(language) && can && (title.making[language] === undefined || (anew && hearing === undefined))
    );
  };
  const begun = state.tracks.map(({ language }) => language).filter(makes);
  if (begun.length === 0) return { ...nothing, title: { ...title, state } };
  // What is still being heard will be translated with the rest.
  const round = hearing ?? title.round + 1;
  const making = { ...title.making, ...Object.fromEntries(begun.map((language) => [language, round])) };
  const hear = begun.includes(spoken);
  return {
    title: { ...title, state, making, round: Math.max(title.round, round) },
    hear,
    translate: hear || hearing !== undefined ? [] : begun,
  };
}
