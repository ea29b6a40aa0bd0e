/**
 * The state of tracks as events carry it. Message ids contain the revision, so that a repeat is not a second message.
 */
import { randomUUID } from 'node:crypto';
import { events } from '@vds/proto/events';
import { outgoing, type Outgoing } from '@vds/chassis/database/outbox';
import type { TrackOut as TrackMessage } from '@vds/proto/generated/vds/captions/v1/Track.ts';
import type { TrackStateOut as StateMessage } from '@vds/proto/generated/vds/captions/v1/TrackState.ts';
import type { CaptionJob } from '../domain/caption-job.ts';
import type { Correction } from '../domain/jobs/render-correction.ts';
import type { Track, TrackState } from '../domain/track.ts';

export function tracksChanged({ videoId, attempt, state }: CaptionJob): Outgoing {
  return outgoing(
    events.tracksChanged,
    { videoId, attempt, state: stateMessage(state) },
    `${events.tracksChanged.subject}/${videoId}/${attempt}/${state.revision}`,
  );
}

/** The state once more, for a reader that has lost it: a message of its own, or the stream would drop it. */
export function tracksRepeated(job: CaptionJob): Outgoing {
  const message = tracksChanged(job);
  return { ...message, messageId: `${message.messageId}/again-${randomUUID()}` };
}

/** For the audit: who has corrected what. @param wasRevision of the state before */
export function trackCorrected(
  { videoId, attempt, state: { revision } }: CaptionJob,
  { language, cue = 0, by: actor, reason = '', at: acceptedAt = new Date().toISOString() }: Correction,
  wasRevision: number,
): Outgoing {
  return outgoing(
    events.trackCorrected,
    { videoId, attempt, language, cue, wasRevision, revision, actor, reason, acceptedAt },
    `${events.trackCorrected.subject}/${videoId}/${attempt}/${revision}`,
  );
}

/** A state as a protobuf message. */
export function stateMessage(state: TrackState): StateMessage {
  return {
    ...state,
    tracks: state.tracks.map(trackMessage),
  };
}

export function trackMessage(track: Track): TrackMessage {
  const { provided = false, correctedBy = '', path } = track;
  return { ...track, provided, correctedBy, path: [...path] };
}
