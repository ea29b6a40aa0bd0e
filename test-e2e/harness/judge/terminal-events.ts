/** The terminal events that JetStream stores, by request. */
import { stageEvents, streamOf, type EventType } from '@vds/proto/events';
import type { Servers } from '@vds/testkit/servers/servers-file';
import { storedMessages } from '@vds/testkit/stack/stream-admin';

type Terminal = { readonly videoId: string; readonly attempt: number; readonly revision?: number };

/**
 * The different outcomes of each request, by `<video> <stage> <attempt> <revision>`. A repeat of the same outcome
 * counts once: requests are answered again with the known outcome.
 */
export async function storedOutcomes(
  servers: Servers,
  stack: string,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const outcomes = new Map<string, Set<string>>();
  for (const [stage, { completed, failed }] of Object.entries(stageEvents)) {
    for (const event of [completed, failed] as readonly EventType<never, Terminal>[]) {
      const { subject, owner } = event;
      for (const data of await storedMessages(servers, stack, { stream: streamOf(owner), subject })) {
        const outcome = event.decode(data);
        const key = `${outcome.videoId} ${stage} ${outcome.attempt} ${outcome.revision ?? 0}`;
        outcomes.set(key, (outcomes.get(key) ?? new Set()).add(`${subject} ${JSON.stringify(outcome)}`));
      }
    }
  }
  return outcomes;
}

/** Requests with more than one outcome. */
export function ambiguousRequests(outcomes: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return [...outcomes].filter(([, seen]) => seen.size > 1).map(([key, seen]) => `${key}: ${[...seen].join(', ')}`);
}
