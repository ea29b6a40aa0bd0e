/** What catalog says: one function an event. Message ids name the cause, so that a repeat of the cause is a repeat of the message. */
import type { PurgeScope as ProtoScope } from '@vds/proto/generated/vds/common/v1/PurgeScope.ts';
import { events, type EventType } from '@vds/proto/events';
import { outgoing, type Outgoing } from '@vds/chassis/database/outbox';
import type { PurgeScope } from '../domain/purges.ts';
import type { StageRequest, Outputs } from '../domain/stage-status.ts';
import type { Video } from '../domain/video.ts';

type Asked = Pick<
  Video,
  'id' | 'publisherId' | 'attempt' | 'sourceUrl' | 'durationMs' | 'createdAt' | 'languageCode' | 'transcriptKey'
>;
type Payload<In> = (video: Asked, made: Outputs, revision: number) => In;
type Ask = (...of: [...Parameters<Payload<never>>, messageId: string]) => Outgoing;

/** How each stage of domain/stages.ts is asked for. */
const asks: Readonly<Record<string, Ask>> = {
  fetch: asking(events.fetchRequested, (video) => ({
    ...of(video),
    sourceUrl: video.sourceUrl,
    acceptedAtMs: video.createdAt.getTime(),
  })),
  inspect: asking(events.inspectRequested, (video, made) => ({ ...of(video), ...source(made) })),
  encode: asking(events.encodeRequested, (video, made) => ({
    ...of(video),
    ...source(made),
    durationMs: video.durationMs ?? 0,
  })),
  captions: asking(events.captionsRequested, (video, made, revision) => ({
    ...of(video),
    ...sound(made),
    revision,
    durationMs: video.durationMs ?? 0,
    languageCode: video.languageCode,
  })),
  metadata: asking(events.metadataRequested, (video, made, revision) => ({
    ...of(video),
    ...sound(made),
    revision,
    durationMs: video.durationMs ?? 0,
    ladderKey: made.ladderKey ?? '',
    transcriptKey: video.transcriptKey ?? '',
  })),
};

/**
 * `catalog.<stage>.requested.v1`.
 * @param made outputs of the stages before
 * @param repeat 0 the first time; a repeat needs an id of its own, or the stream would swallow it
 */
export function requestMessage(
  { stage, revision }: Pick<StageRequest, 'stage' | 'revision'>,
  video: Asked,
  made: Outputs,
  repeat = 0,
): Outgoing {
  const ask = asks[stage];
  if (!ask) throw new Error(`no request is known for stage ${stage}`);
  const ends = [...(revision === 0 ? [] : [`-revision-${revision}`]), ...(repeat === 0 ? [] : [`-again-${repeat}`])];
  return ask(video, made, revision, `${video.id}-${video.attempt}-${stage}${ends.join('')}`);
}

export function changedMessage({ id, version, playbackId }: Pick<Video, 'id' | 'version' | 'playbackId'>): Outgoing {
  return outgoing(
    events.videoChanged,
    { videoId: id, version, ...(playbackId !== null && { playbackId }) },
    `${id}-changed-${version}`,
  );
}

export function cancelledMessage({ id, version }: Pick<Video, 'id' | 'version'>): Outgoing {
  return outgoing(events.videoCancelled, { videoId: id }, `${id}-cancelled-${version}`);
}

/**
 * @param cause what tells this asking from every other of the same removal
 */
export function purgeMessage(
  videoId: string,
  purge: { readonly scope: PurgeScope; readonly keepAttempt: number; readonly owners: readonly string[] },
  cause: string,
): Outgoing {
  return outgoing(
    events.purgeRequested,
    {
      videoId,
      scope: `PURGE_SCOPE_${purge.scope}` satisfies ProtoScope,
      keepAttempt: purge.keepAttempt,
      owners: [...purge.owners],
    },
    `${videoId}-purge-${purge.scope}-${cause}`,
  );
}

function asking<In>(event: EventType<In, unknown>, payload: Payload<In>): Ask {
  return (video, made, revision, messageId) => outgoing(event, payload(video, made, revision), messageId);
}

function of({ id, attempt, publisherId }: Asked) {
  return { videoId: id, attempt, publisherId };
}

function sound(made: Outputs) {
  return {
    hasAudio: made.hasAudio ?? false,
    audioPlaylistKey: made.audioPlaylistKey ?? '',
  };
}

function source(made: Outputs) {
  return { sourceKey: made.sourceKey ?? '', sourceBytes: made.sourceBytes ?? 0 };
}
