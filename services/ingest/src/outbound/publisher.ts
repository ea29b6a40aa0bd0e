/** What ingest says, each as a row of the outbox. The message id names the cause: a repeat of it is a repeat of the message. */
import { events } from '@vds/proto/events';
import type { Executor } from '@vds/chassis/database/database';
import { addToOutbox, outgoing } from '@vds/chassis/database/outbox';

type FetchId = { readonly videoId: string; readonly attempt: number };

/** How a fetch ended. */
export type FetchEnd = FetchId &
  (
    | { readonly state: 'completed'; readonly sourceKey: string; readonly sourceBytes: number; readonly digest: string }
    | { readonly state: 'failed'; readonly code: string; readonly details: Readonly<Record<string, string>> }
  );

export function publishStarted(client: Executor, fetch: FetchId): Promise<void> {
  return addToOutbox(client, [outgoing(events.fetchStarted, fetch, `${idOf(fetch)}-started`)]);
}

function idOf({ videoId, attempt }: FetchId): string {
  return `fetch-${videoId}-${attempt}`;
}

/** @param fence keeps the ids of two claims apart */
export function publishProgressed(client: Executor, fetch: FetchId, fence: number, percent: number): Promise<void> {
  const { videoId, attempt } = fetch;
  const messageId = `${idOf(fetch)}-progressed-${fence}-${percent}`;
  return addToOutbox(client, [outgoing(events.fetchProgressed, { videoId, attempt, percent }, messageId)]);
}

/**
 * Says the last word on an attempt.
 * @param repeat the id of the request that is answered once more; empty for the first time
 */
export function publishEnded(client: Executor, end: FetchEnd, repeat = ''): Promise<void> {
  const { videoId, attempt } = end;
  const messageId = `${idOf(end)}-ended${repeat && `-${repeat}`}`;
  if (end.state === 'failed') {
    const { code, details } = end;
    return addToOutbox(client, [outgoing(events.fetchFailed, { videoId, attempt, code, details }, messageId)]);
  }
  const { sourceKey, sourceBytes, digest } = end;
  const payload = { videoId, attempt, sourceKey, sourceBytes, digest };
  return addToOutbox(client, [outgoing(events.fetchCompleted, payload, messageId)]);
}
