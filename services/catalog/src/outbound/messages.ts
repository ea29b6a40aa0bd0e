/** What catalog says: one function an event. Message ids name the cause, so that a repeat of the cause is a repeat of the message. */
import type { PurgeScope as ProtoScope } from '@vds/proto/generated/vds/common/v1/PurgeScope.ts';
import { events, type EventType } from '@vds/proto/events';
import { outgoing, type Outgoing } from '@vds/shared/outbox';
import type { PurgeScope } from '../domain/purges.ts';
import type { Outputs } from '../domain/stages.ts';
import type { Video } from '../domain/video.ts';

type Asked = Pick<Video, 'id' | 'publisherId' | 'attempt' | 'sourceUrl' | 'durationMs' | 'createdAt'>;
type Ask = (video: Asked, made: Outputs, messageId: string) => Outgoing;

const asking =
  <In>(event: EventType<In, unknown>, payload: (video: Asked, made: Outputs) => In): Ask =>
  (video, made, messageId) =>
    outgoing(event, payload(video, made), messageId);

const of = ({ id, attempt, publisherId }: Asked) => ({ videoId: id, attempt, publisherId });
const source = (made: Outputs) => ({ sourceKey: made.sourceKey ?? '', sourceBytes: made.sourceBytes ?? 0 });

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
};

/**
 * `catalog.<stage>.requested.v1`.
 * @param made outputs of the stages before
 * @param repeat 0 the first time; a repeat needs an id of its own, or the stream would swallow it
 */
export const requestMessage = (stage: string, video: Asked, made: Outputs, repeat = 0): Outgoing => {
  const ask = asks[stage];
  if (!ask) throw new Error(`no request is known for stage ${stage}`);
  return ask(video, made, `${video.id}-${video.attempt}-${stage}${repeat === 0 ? '' : `-again-${repeat}`}`);
};

export const changedMessage = ({ id, version, playbackId }: Pick<Video, 'id' | 'version' | 'playbackId'>): Outgoing =>
  outgoing(
    events.videoChanged,
    { videoId: id, version, ...(playbackId !== null && { playbackId }) },
    `${id}-changed-${version}`,
  );

export const cancelledMessage = ({ id, version }: Pick<Video, 'id' | 'version'>): Outgoing =>
  outgoing(events.videoCancelled, { videoId: id }, `${id}-cancelled-${version}`);

/**
 * @param cause what tells this asking from every other of the same removal
 */
export const purgeMessage = (
  videoId: string,
  purge: { readonly scope: PurgeScope; readonly keepAttempt: number; readonly owners: readonly string[] },
  cause: string,
): Outgoing =>
  outgoing(
    events.purgeRequested,
    {
      videoId,
      scope: `PURGE_SCOPE_${purge.scope}` satisfies ProtoScope,
      keepAttempt: purge.keepAttempt,
      owners: [...purge.owners],
    },
    `${videoId}-purge-${purge.scope}-${cause}`,
  );
