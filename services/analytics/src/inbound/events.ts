/** Consumed events, beside the batches of reports: a deleted video loses its title. */
import { events } from '@vds/proto/events';
import { on, type EventHandler } from '@vds/chassis/bus/bus';

type Deps = { readonly addDeleted: (videoId: string) => Promise<void> };

export function durableHandlers({ addDeleted }: Deps): readonly EventHandler[] {
  return [
    on(events.purgeRequested, async ({ videoId, scope }) => {
      if (scope === 'PURGE_SCOPE_VIDEO') await addDeleted(videoId);
    }),
  ];
}
