/** A video as catalog stores it, and the two rules for every change. */

export type State = 'processing' | 'ready' | 'archived' | 'failed' | 'deleted';

/**
 * The partner's intent, carried out once it is possible: after processing, or after the operator's hold ends.
 * `delete` exists only while processing.
 */
export type Intent = 'none' | 'archive' | 'delete';

/** Why processing ended without a video; the sentence belongs to the code (proto/failures.ts). */
export type Failure = {
  readonly code: string;
  readonly stage: string;
  readonly details: Readonly<Record<string, string>>;
};

export type Warning = { readonly code: string; readonly message: string };

/** One caption track, as of captions' last event. Keys are of the captions bucket. */
export type Track = {
  /** BCP 47. */
  readonly language: string;
  readonly kind: 'captions' | 'subtitles';
  /** It came inside the partner's file. */
  readonly provided?: boolean;
  readonly status: 'processing' | 'ready' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  readonly reason: string | null;
  /** The text in a player's menu. */
  readonly name: string;
  readonly playlistKey: string | null;
  readonly textKey: string | null;
  /** Languages of the translation path, the spoken one first. */
  readonly path: readonly string[];
};

/** A video's caption tracks and transcript; each retry resets them. */
export type Captions = {
  /** In the order of the menu: the spoken language first. */
  readonly captions: readonly Track[];
  /** The state with the higher revision is the later one; 0 before captions' first event. */
  readonly captionsRevision: number;
  readonly transcriptKey: string | null;
  /** Rises when the transcript's text changed; 0 while there is none. */
  readonly transcriptRevision: number;
};

export const noCaptions: Captions = { captions: [], captionsRevision: 0, transcriptKey: null, transcriptRevision: 0 };

export type Video = Captions & {
  readonly id: string;
  readonly publisherId: string;
  readonly createdAt: Date;
  readonly state: State;
  readonly intent: Intent;
  /** The operator's hold: shown as archived, a partner cannot lift it. */
  readonly held: boolean;
  /** 1 for the first run through the stages; an operator's retry starts the next. */
  readonly attempt: number;
  readonly version: number;
  /** Raised only by changes that the partner can see, other than progress; never lowered. */
  readonly updatedAt: Date;
  /** When the current attempt completed or failed. */
  readonly endedAt: Date | null;
  /** When the scheduler acts next: on a queued delete, on a failed video, at the end of awaiting. */
  readonly dueAt: Date | null;
  readonly deletedAt: Date | null;
  /** When viewers start to get 404; null while the gate is open or nothing was ever playable. */
  readonly gateClosesAt: Date | null;
  /** When the video first went live. */
  readonly publishedAt: Date | null;
  /** Minted at the first completion; survives archive, republish and deletion. */
  readonly playbackId: string | null;
  readonly ladderKey: string | null;
  readonly thumbnailKey: string | null;
  readonly durationMs: number | null;
  readonly failure: Failure | null;
  readonly warnings: readonly Warning[];
  readonly sourceUrl: string;
  readonly title: string;
  readonly summary: string | null;
  readonly tags: readonly string[];
  readonly thumbnailUrl: string | null;
  readonly sport: string | null;
  readonly category: string | null;
  readonly languageCode: string;
};

/** Fields that a decision may change: never the video's identity or its owner. */
export type Changes = Partial<Omit<Video, 'id' | 'publisherId' | 'createdAt' | 'title' | 'version' | 'updatedAt'>>;

export function after(from: Date, ms: number): Date {
  return new Date(from.getTime() + ms);
}

/** The video after `changes`: one version on, `updatedAt` moved only if the partner can see a difference, and never back. */
export function amend(video: Video, changes: Changes, now: Date): Video {
  const next = { ...video, ...changes, version: video.version + 1 };
  const moved = visible(next) !== visible(video) && now > video.updatedAt;
  return moved ? { ...next, updatedAt: now } : next;
}

/** What the partner can see of a video, except progress. */
function visible(video: Video): string {
  return JSON.stringify([video.state, video.durationMs, video.failure, video.warnings, visibleTracks(video)]);
}

/** The tracks that the partner sees: none while processing, or when there is no video. */
export function visibleTracks({ state, captions }: Pick<Video, 'state' | 'captions'>) {
  return state === 'ready' || state === 'archived'
    ? captions.map(({ language, kind, provided, status, reason }) => ({
        ...{ language, status, reason },
        kind: provided === true ? 'provided' : kind,
      }))
    : undefined;
}

/** State, queued intent, operator's hold and attempt if not the first, for the audit and the operator. */
export function describeState({
  state,
  intent,
  held,
  attempt,
}: Pick<Video, 'state' | 'intent' | 'held' | 'attempt'>): string {
  return [
    state,
    ...(intent === 'none' ? [] : [`${intent} queued`]),
    ...(held ? ['held'] : []),
    ...(state === 'deleted' || attempt === 1 ? [] : [`attempt ${attempt}`]),
  ].join(', ');
}
