/** What metadata says, as outbox rows. */
import { events } from '@vds/proto/events';
import type { PurgeScope as WireScope } from '@vds/proto/generated/vds/common/v1/PurgeScope.ts';
import { outgoing, type Outgoing } from '@vds/chassis/database/outbox';
import type { PurgeRequest, PurgeScope } from '@vds/chassis/stage/purge';
import { stageMessageId, type StageKey, type StagePublisher } from '@vds/chassis/stage/stages';

/** A completed stage says nothing but that it is: what was found is read by RPC. */
export type Done = Readonly<Record<string, never>>;

export const stagePublisher: StagePublisher<Done> = {
  started: (key) => outgoing(events.metadataStarted, common(key), stageMessageId(events.metadataStarted.subject, key)),
  progressed: (key, percent) =>
    outgoing(
      events.metadataProgressed,
      { ...common(key), percent },
      stageMessageId(events.metadataProgressed.subject, key, `/${percent}`),
    ),
  completed: (key, _done, repeat) =>
    outgoing(events.metadataCompleted, common(key), stageMessageId(events.metadataCompleted.subject, key, repeat)),
  failed: (key, { code, details }, repeat) =>
    outgoing(
      events.metadataFailed,
      { ...common(key), code, details },
      stageMessageId(events.metadataFailed.subject, key, repeat),
    ),
};

const wireScopes: Readonly<Record<PurgeScope, WireScope>> = {
  all: 'PURGE_SCOPE_VIDEO',
  before: 'PURGE_SCOPE_OTHER_ATTEMPTS',
  source: 'PURGE_SCOPE_SOURCE',
};

export function publishPurged({ groupKey, scope, keepAttempt }: PurgeRequest, cause: string): Outgoing {
  return outgoing(
    events.metadataVideoPurged,
    { videoId: groupKey, scope: wireScopes[scope], keepAttempt },
    `${events.metadataVideoPurged.subject}/${groupKey}/${scope}/${keepAttempt}/${cause}`,
  );
}

function common({ groupKey, attempt, revision }: StageKey) {
  return { videoId: groupKey, attempt, revision };
}
