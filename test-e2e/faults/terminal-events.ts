/** The terminal events of a video that JetStream stores, by stage, attempt and revision. */
import { stageEvents, streamOf, type EventType } from '@vds/proto/events';
import type { Servers } from '@vds/testkit/servers/servers-file';
import { storedMessages } from '@vds/testkit/stack/stream-admin';

type Terminal = { readonly videoId: string; readonly attempt: number; readonly revision?: number };

/**
 * Revisions with more than one outcome. A repeat of the same outcome is none: requests are answered again with what is
 * known.
 */
export async function ambiguousRevisions(servers: Servers, stack: string, videoId: string): Promise<string[]> {
  const outcomes = new Map<string, Set<string>>();
  for (const [stage, { completed, failed }] of Object.entries(stageEvents)) {
    for (const event of [completed, failed] as readonly EventType<never, Terminal>[]) {
      const { subject, owner } = event;
      for (const data of await storedMessages(servers, stack, { stream: streamOf(owner), subject })) {
        const outcome = event.decode(data);
        if (outcome.videoId !== videoId) continue;
        const key = `${stage} ${outcome.attempt} ${outcome.revision ?? 0}`;
        outcomes.set(key, (outcomes.get(key) ?? new Set()).add(`${subject} ${JSON.stringify(outcome)}`));
      }
    }
  }
  return [...outcomes].filter(([, seen]) => seen.size > 1).map(([key, seen]) => `${key}: ${[...seen].join(', ')}`);
}
