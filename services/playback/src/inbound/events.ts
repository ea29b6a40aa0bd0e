/** Consumed events: a changed video drops its cached gate, in every replica. */
import { events } from '@vds/proto/events';
import { on, type EventHandler } from '@vds/chassis/bus/bus';
import type { Gates } from '../outbound/gates.ts';

export function broadcastHandlers(gates: Pick<Gates, 'drop'>): readonly EventHandler[] {
  return [on(events.videoChanged, async ({ videoId, version }) => gates.drop(videoId, version))];
}
