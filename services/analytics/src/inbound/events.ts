/** Consumed events, beside the batches of reports: a deleted video loses its title. */
import { events } from '@vds/proto/events';
import { orUndefinedIfNotFound } from '@vds/chassis/errors';
import { on, type EventHandler } from '@vds/chassis/bus/bus';
import type { Peers } from '../outbound/attribute.ts';
import type { EventStore } from '../outbound/store.ts';

type Deps = Peers & { readonly store: Pick<EventStore, 'name'> };

export function durableHandlers({ video, publisher, store }: Deps): readonly EventHandler[] {
  return [
    on(events.purgeRequested, async ({ videoId, scope }) => {
      const found = scope === 'PURGE_SCOPE_VIDEO' ? await orUndefinedIfNotFound(video(videoId)) : undefined;
      if (!found) return;
      const { organizationId } = await publisher(found.publisherId);
      await store.name([{ organizationId, videoId, title: '', version: found.version }]);
    }),
  ];
}
