/** What captions says, as outbox rows. Message ids name the cause, so that a repeat of the cause is no second message. */
import { events } from '@vds/proto/events';
import { outgoing, type Outgoing } from '@vds/chassis/database/outbox';
import type { PurgeRequest } from '@vds/chassis/stage/purge';
import { stageMessageId, type StageKey, type StagePublisher } from '@vds/chassis/stage/stages';
import type { Track as TrackMessage } from '@vds/proto/generated/vds/captions/v1/Track.ts';
import type { TrackState as StateMessage } from '@vds/proto/generated/vds/captions/v1/TrackState.ts';
import type { CaptionJob } from '../domain/caption-job.ts';
import type { TrackState } from '../domain/track.ts';

/** How the stage speaks; its last word carries the state as it was then. */
export const stagePublisher: StagePublisher<TrackState> = {
  started: (key) => outgoing(events.captionsStarted, common(key), stageMessageId(events.captionsStarted.subject, key)),
  progressed: (key, percent) =>
    outgoing(
      events.captionsProgressed,
      { ...common(key), percent },
      stageMessageId(events.captionsProgressed.subject, key, `/${percent}`),
    ),
  completed: (key, state, repeat) =>
    outgoing(
      events.captionsCompleted,
      { ...common(key), state: stateMessage(state) },
      stageMessageId(events.captionsCompleted.subject, key, repeat),
    ),
  failed: (key, { code, details }, repeat) =>
    outgoing(
      events.captionsFailed,
      { ...common(key), code, details: { ...details } },
      stageMessageId(events.captionsFailed.subject, key, repeat),
    ),
};

/** The house's names of what a purge is about, and the chassis's. */
export const scopes = {
  PURGE_SCOPE_VIDEO: 'all',
  PURGE_SCOPE_OTHER_ATTEMPTS: 'before',
  PURGE_SCOPE_SOURCE: 'source',
} as const;

const scopeNames = {
  all: 'PURGE_SCOPE_VIDEO',
  before: 'PURGE_SCOPE_OTHER_ATTEMPTS',
  source: 'PURGE_SCOPE_SOURCE',
} as const;

export function publishTracks({ videoId, attempt, state }: CaptionJob): Outgoing {
  return outgoing(
    events.tracksChanged,
    { videoId, attempt, state: stateMessage(state) },
    `${events.tracksChanged.subject}/${videoId}/${attempt}/${state.revision}`,
  );
}

/** A state as it crosses the wire. */
export function stateMessage(state: TrackState): StateMessage {
  return {
    ...state,
    tracks: state.tracks.map((track): TrackMessage => ({ ...track, path: [...track.path] })),
  };
}

export function publishPurged({ groupKey, scope, keepAttempt }: PurgeRequest, cause: string): Outgoing {
  const name = scopeNames[scope];
  return outgoing(
    events.captionsVideoPurged,
    { videoId: groupKey, scope: name, keepAttempt },
    `${events.captionsVideoPurged.subject}/${groupKey}/${name}/${keepAttempt}/${cause}`,
  );
}

function common({ groupKey, attempt, revision }: StageKey) {
  return { videoId: groupKey, attempt, revision };
}
