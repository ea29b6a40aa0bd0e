/** The events that catalog publishes. Message ids name the cause, so that a repeated cause is a repeated message. */
import type { PurgeScope as ProtoScope } from '@vds/proto/generated/vds/common/v1/PurgeScope.ts';
import { events, stageEvents, type EventType } from '@vds/proto/events';
import { stageNames } from '@vds/proto/stages';
import { outgoing, type Outgoing } from '@vds/chassis/database/outbox';
import type { KeysInUse } from '../domain/keys-in-use.ts';
import type { PurgeScope } from '../domain/purges.ts';
import { sourceHostOf } from '../domain/record.ts';
import type { Outputs, StageRequest } from '../domain/stages.ts';
import type { Video } from '../domain/video.ts';

type RequestedVideo = Pick<
  Video,
  | 'id'
  | 'publisherId'
  | 'attempt'
  | 'sourceUrl'
  | 'durationMs'
  | 'languageCode'
  | 'category'
  | 'transcriptKey'
  | 'title'
  | 'summary'
  | 'tags'
> & { /** By the database's clock; left out of a video that is being created. */ readonly createdAt?: Date };

/** The request of each stage. Serialization drops the fields of `payloadOf` that a message lacks. */
const requests: Readonly<
  Record<string, EventType<ReturnType<typeof payloadOf> & { earlierTitles: string[] }, unknown>>
> = Object.fromEntries(stageNames.map((stage) => [stage, stageEvents[stage].requested]));

/**
 * `catalog.<stage>.requested.v1`.
 * @param outputs of the stages before
 * @param repeat `republished` is 0 the first time: each repeat needs its own id, or the stream would drop it as a duplicate;
 * `earlierTitles` are those of the publisher's other videos (earlier-titles.ts)
 */
export function requestMessage(
  { stage, revision }: Pick<StageRequest, 'stage' | 'revision'>,
  video: RequestedVideo,
  outputs: Outputs,
  { republished = 0, earlierTitles = [] }: { republished?: number; earlierTitles?: readonly string[] } = {},
): Outgoing {
  const event = requests[stage];
  if (!event) throw new Error(`stage ${stage} has no request`);
  const suffix = `${revision === 0 ? '' : `-revision-${revision}`}${republished === 0 ? '' : `-again-${republished}`}`;
  const payload = { ...payloadOf(video, outputs, revision), earlierTitles: [...earlierTitles] };
  const message = outgoing(event, payload, `${video.id}-${video.attempt}-${stage}${suffix}`);
  return { ...message, transient: true }; // republished until it is answered
}

function payloadOf(video: RequestedVideo, outputs: Outputs, revision: number) {
  return {
    videoId: video.id,
    attempt: video.attempt,
    publisherId: video.publisherId,
    revision,
    sourceHost: sourceHostOf(video) ?? '',
    ...(video.createdAt && { acceptedAtMs: video.createdAt.getTime() }),
    durationMs: video.durationMs ?? 0,
    languageCode: video.languageCode,
    category: video.category ?? '',
    transcriptKey: video.transcriptKey ?? '',
    sourceKey: outputs.sourceKey ?? '',
    sourceBytes: outputs.sourceBytes ?? 0,
    hasAudio: outputs.hasAudio ?? false,
    audioPlaylistKey: outputs.audioPlaylistKey ?? '',
    textsKey: outputs.textsKey ?? '',
    textLanguages: [...(outputs.textLanguages ?? [])],
    ladderKey: outputs.ladderKey ?? '',
    title: video.title,
    summary: video.summary ?? '',
    tags: [...video.tags],
  };
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

/** A purge that owners are asked for. */
export type PurgeRequest = {
  readonly scope: PurgeScope;
  readonly keepAttempt: number;
  readonly owners: readonly string[];
  readonly requestId: string;
};

/** @param repeat distinguishes this message from the others of the same request */
export function purgeMessage(
  videoId: string,
  { scope, keepAttempt, owners, requestId }: PurgeRequest,
  { sourceKey, ladderKey, captionKeys }: KeysInUse,
  repeat = '',
): Outgoing {
  const message = outgoing(
    events.purgeRequested,
    {
      videoId,
      ...{ keepAttempt, requestId, owners: [...owners] },
      scope: `PURGE_SCOPE_${scope}` satisfies ProtoScope,
      inUse: { sourceKey, ladderKey, captionKeys: [...captionKeys] },
    },
    `${videoId}-purge-${requestId}${repeat}`,
  );
  // The ledger repeats it with what is in use then; only of a whole video others hear too, who are not in the ledger.
  return scope === 'VIDEO' ? message : { ...message, transient: true };
}
