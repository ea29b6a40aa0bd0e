/** The captions of one attempt: which tracks are in progress, under which generation, and their results. */
import { sameLanguage } from './language-tag.ts';
import { providedLanguages } from './provided.ts';
import { planTracks } from './plan-tracks.ts';
import { ENGLISH, type FindRoute } from './routes.ts';
import { openState, reopen, finish, finishAll, withRevision, type NotMade, type Outcome } from './track-state.ts';
import type { Track, TrackState } from './track.ts';

export type CaptionRequest = {
  /** ISO 639-1, as the partner gave it. */
  readonly language: string;
  readonly durationMs: number;
  readonly hasAudio: boolean;
  /** In the media bucket; empty without sound. */
  readonly audioPlaylistKey: string;
  /** Of the captions inside the file, in the media bucket; empty without any. */
  readonly textsKey: string;
  /** Their languages, in the document's order: '' is none. */
  readonly textLanguages: readonly string[];
  /** Whether the captions name sounds. */
  readonly soundCues: boolean;
  /** What may be spoken, as the partner spells it (names/list-names.ts). */
  readonly names: readonly string[];
};

export type CaptionJob = CaptionRequest & {
  readonly videoId: string;
  readonly attempt: number;
  readonly publisherId: string;
  /** The revision of the stage's request that the tracks are made for. */
  readonly stageRevision: number;
  /** Increases whenever tracks are made again: 0 the first time. */
  readonly generation: number;
  readonly state: TrackState;
  /** Maps a language to the generation that makes its track. Results of other generations are dropped. */
  readonly inProgress: Readonly<Record<string, number>>;
  readonly chunks: number;
  /** Chunks that are not transcribed yet. */
  readonly chunksLeft: number;
  /** SHA-256 of the transcript's text; empty while there is none. */
  readonly transcriptDigest: string;
  /** As the staff has spelt them in the spoken track (names/fixed-names.ts). */
  readonly fixedNames: readonly string[];
};

/** What the engines support: undefined where one could not be reached. */
export type Capabilities = {
  readonly speechLanguages: readonly string[] | undefined;
  readonly routes: FindRoute | undefined;
  /** Whether the speech engine translates what is spoken into English; `routes` take it into account. */
  readonly speechToEnglish: boolean;
};

/** Of engines that were not queried yet. */
export const unknownCapabilities: Capabilities = {
  speechLanguages: undefined,
  routes: undefined,
  speechToEnglish: false,
};

export type Reopened = {
  readonly job: CaptionJob;
  /** Whether this generation transcribes the speech. */
  readonly transcribe: boolean;
  /** Tracks to be translated from the existing transcript. */
  readonly translate: readonly string[];
};

/** The captions of a video at their first request. */
export function openJob(
  request: CaptionRequest & Pick<CaptionJob, 'videoId' | 'attempt' | 'publisherId' | 'stageRevision'>,
  planned: readonly Track[],
): CaptionJob {
  return {
    ...request,
    generation: 0,
    state: openState(planned),
    inProgress: allInProgress(planned.filter(isOpen), 0),
    chunks: 0,
    chunksLeft: 0,
    transcriptDigest: '',
    fixedNames: [],
  };
}

function allInProgress(tracks: readonly Track[], generation: number): Record<string, number> {
  return Object.fromEntries(tracks.map(({ language }) => [language, generation]));
}

function isOpen({ status }: Track): boolean {
  return status === 'processing';
}

/** Whether no track is in progress. */
export function isSettled({ inProgress }: CaptionJob): boolean {
  return Object.keys(inProgress).length === 0;
}

/**
 * Plans the remaining tracks again after the engines were queried; those that cannot be made end. Where no engine can
 * transcribe the speech nothing stays in progress, not even what would have replaced a ready track.
 */
export function replan(job: CaptionJob, planned: readonly Track[]): CaptionJob {
  const [spoken] = planned;
  const stop =
    spoken && !isOpen(spoken) ? { status: spoken.status, ...(spoken.reason && { reason: spoken.reason }) } : undefined;
  const tracks = job.state.tracks.map((track) =>
    isOpen(track) ? (planned.find(({ language }) => language === track.language) ?? { ...track, ...stop }) : track,
  );
  const ended = job.state.tracks.filter((track, index) => isOpen(track) && !isOpen(tracks[index] ?? track));
  const goesOn = (one: string): boolean =>
    tracks.some((track) => track.language === one && track.provided && isOpen(track));
  const isOver = (one: string): boolean =>
    (stop !== undefined && !goesOn(one)) || ended.some(({ language }) => language === one);
  const state = withRevision(job.state, { ...job.state, tracks });
  return { ...job, state, inProgress: without(job.inProgress, isOver) };
}

function without(inProgress: CaptionJob['inProgress'], isOver: (language: string) => boolean) {
  return Object.fromEntries(Object.entries(inProgress).filter(([language]) => !isOver(language)));
}

/**
 * The captions after one track has ended; unchanged where `generation` no longer makes it.
 * @param path the languages of its translation route
 */
export function finishTrack(
  job: CaptionJob,
  generation: number,
  language: string,
  outcome: Outcome,
  path?: readonly string[],
): CaptionJob {
  if (!isInProgress(job, language, generation)) return job;
  const tracks = job.state.tracks.map((track) =>
    path !== undefined && track.language === language ? { ...track, path } : track,
  );
  return {
    ...job,
    state: finish({ ...job.state, tracks }, language, outcome),
    inProgress: without(job.inProgress, (other) => other === language),
  };
}

/** Whether `generation` still makes the track of `language`. */
export function isInProgress({ inProgress }: CaptionJob, language: string, generation: number): boolean {
  return inProgress[language] === generation;
}

/** The captions after a failed transcription: every track that depends on it ends, what the partner has sent does not. */
export function finishGeneration(
  job: CaptionJob,
  generation: number,
  outcome: NotMade,
  transcriptKey?: string,
): CaptionJob {
  if (!isTranscribing(job, generation)) return job;
  const state = finishAll(job.state, outcome, transcriptKey);
  const goesOn = state.tracks.filter(isOpen).map(({ language }) => language);
  return { ...job, state, inProgress: without(job.inProgress, (language) => !goesOn.includes(language)) };
}

/** The captions after everything that is in progress was given up. */
export function finishInProgress(job: CaptionJob, outcome: NotMade): CaptionJob {
  return Object.entries(job.inProgress).reduce(
    (now, [language, generation]) => finishTrack(now, generation, language, outcome),
    job,
  );
}

/** Whether `generation` still makes the spoken track. */
export function isTranscribing(job: CaptionJob, generation: number): boolean {
  return isInProgress(job, spokenLanguage(job), generation);
}

export function spokenLanguage({ state, language }: Pick<CaptionJob, 'state' | 'language'>): string {
  return state.tracks.find(({ kind }) => kind === 'captions')?.language ?? language;
}

/** Whether a track in progress depends on English made of the sound; while the routes are unknown, any may. */
export function needsEnglish(job: CaptionJob, { routes, speechToEnglish }: Capabilities): boolean {
  const spoken = spokenLanguage(job);
  if (!speechToEnglish || sameLanguage(spoken, ENGLISH)) return false;
  const translated = Object.keys(job.inProgress).filter((language) => language !== spoken);
  return translated.some((language) => routes === undefined || routes(spoken, language)?.from === 'speech');
}

/**
 * The captions of a stage that is requested again: the speech is transcribed again, and ready tracks stay ready until
 * they are replaced. The tracks are those that were listed at first, whatever the operator's list is now: one in
 * progress must not be left without a generation.
 */
export function requestAgain(
  before: CaptionJob,
  request: CaptionRequest & Pick<CaptionJob, 'stageRevision'>,
): Reopened {
  const inProgress = without(before.inProgress, (language) => !isCorrected(before, language));
  const job = { ...before, ...request, generation: before.generation + 1, inProgress };
  const translated = job.state.tracks.filter(({ kind }) => kind === 'subtitles').map(({ language }) => language);
  const spoken = spokenLanguage(job);
  const planned = planFor(job, translated, unknownCapabilities);
  return reopenJob(job, planned, isCorrected(job, spoken) ? translated : [spoken], unknownCapabilities);
}

/** Whether the staff has corrected the track, or is about to. */
export function isCorrected({ state }: Pick<CaptionJob, 'state'>, language: string): boolean {
  return state.tracks.some((track) => track.language === language && track.correctedBy !== undefined);
}

/**
 * Puts a correction in progress, with every translation that depends on it.
 * @param planned what can be translated from it now
 * @param by who corrects it
 */
export function beginCorrection(job: CaptionJob, planned: readonly Track[], language: string, by: string): CaptionJob {
  const isDependent = (track: Track): boolean =>
    track.kind === 'subtitles' && !track.provided && track.correctedBy === undefined && isOpen(track);
  const replaced = language === spokenLanguage(job) ? planned.filter(isDependent) : [];
  const dependents = replaced.map((track) => track.language).filter((one) => !isCorrected(job, one));
  const { tracks } = reopen(job.state, planned, [language, ...dependents]);
  const marked = tracks.map((track) => (track.language === language ? { ...track, correctedBy: by } : track));
  const generation = job.generation + 1;
  const inProgress = Object.fromEntries([language, ...dependents].map((one) => [one, generation]));
  return {
    ...job,
    generation,
    state: withRevision(job.state, { ...job.state, tracks: marked }),
    inProgress: { ...job.inProgress, ...inProgress },
  };
}

/** The tracks that the engines can make; those that depend on an unreachable engine stay undecided. */
export function planFor(
  job: CaptionRequest,
  targets: readonly string[],
  capabilities: Pick<Capabilities, 'speechLanguages' | 'routes'>,
): Track[] {
  return planTracks({
    source: job.language,
    targets,
    speechLanguages: capabilities.speechLanguages ?? ['*'],
    routes: capabilities.routes ?? (() => ({ from: 'text', path: [] })),
    hasAudio: job.hasAudio,
    provided: providedLanguages(job),
  });
}

/**
 * Makes tracks again, with what the engines support now. Tracks in progress continue, and those that still cannot be
 * made stay as they are. Making the spoken track again includes every other one, as they are translations of its text;
 * so does a track that needs English made of the sound where there is none yet. What the staff has corrected stays.
 * @param languages empty: all that failed or were skipped
 * @param overwrite make corrected tracks again too
 */
export function reopenJob(
  job: CaptionJob,
  planned: readonly Track[],
  languages: readonly string[],
  { routes }: Pick<Capabilities, 'routes'>,
  overwrite = false,
): Reopened {
  const isKept = (language: string): boolean => !overwrite && isCorrected(job, language);
  const spoken = spokenLanguage(job);
  const { transcriptKey, englishKey } = job.state;
  const notMade = job.state.tracks.filter(({ status }) => status === 'failed' || status === 'skipped');
  const chosen = languages.length > 0 ? languages : notMade.map(({ language }) => language);
  const isPlanned = (language: string): boolean =>
    planned.some((track) => track.language === language && track.status === 'processing');
  const lacksText = (language: string): boolean =>
    transcriptKey === undefined ||
    (englishKey === undefined &&
      !isKept(spoken) &&
      isPlanned(language) &&
      routes?.(spoken, language)?.from === 'speech');
  const needsText = chosen.includes(spoken) || chosen.some(lacksText);
  const all = needsText ? job.state.tracks.map(({ language }) => language) : chosen;
  const wanted = all.filter((language) => !isKept(language));
  const state = wanted.length === 0 ? job.state : reopen(job.state, planned, wanted);
  const transcribing = job.inProgress[spoken];
  const makes = (language: string): boolean => {
    // A translation of the old text that is in progress is not waited for.
    const isFree = job.inProgress[language] === undefined || (needsText && transcribing === undefined);
    return wanted.includes(language) && isPlanned(language) && isFree;
  };
  const begun = state.tracks.map(({ language }) => language).filter(makes);
  if (begun.length === 0) return { job: { ...job, state }, transcribe: false, translate: [] };
  // A transcription in progress will be translated with the rest.
  const generation = transcribing ?? job.generation + 1;
  const inProgress = { ...job.inProgress, ...Object.fromEntries(begun.map((language) => [language, generation])) };
  const transcribe = begun.includes(spoken);
  return {
    job: { ...job, state, inProgress, generation: Math.max(job.generation, generation) },
    transcribe,
    translate: transcribe || transcribing !== undefined ? [] : begun,
  };
}
