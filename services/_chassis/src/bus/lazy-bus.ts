/**
 * A bus that its service can do without: opened behind the boot, so that replicas come up and scale out while NATS is
 * away. It only watches: who must publish or hear everything waits with `connectBus`.
 */
import { AuthorizationError } from '@nats-io/transport-node';
import { connectionGauge, openNats } from './connection.ts';
import type { EventHandler } from './handlers.ts';
import { openBus, type Bus, type BusOptions } from './bus.ts';
import { messageOf } from '../errors.ts';
import { pause } from '../process/pause.ts';

const TRY_AGAIN_MS = 500;

type LazyBusOptions = BusOptions & {
  /** How long the boot waits for a server that does not answer. */
  readonly graceMs?: number;
};

export function connectLazyBus({ graceMs = 5_000, ...options }: LazyBusOptions) {
  const { log, metrics } = options;
  const stopping = new AbortController();
  const gauge = connectionGauge(metrics);
  const since = performance.now();
  const watched: EventHandler[] = [];
  let bus: Bus | undefined;
  let missing: unknown = new Error('NATS is not reached yet');

  const open = async (): Promise<void> => {
    while (!stopping.signal.aborted && bus === undefined) {
      try {
        const nc = await openNats(options, { once: true });
        if (stopping.signal.aborted) return await nc.close();
        bus = await openBus(nc, gauge, options);
        if (watched.length > 0) bus.watch(watched);
      } catch (error) {
        if (messageOf(error) !== messageOf(missing))
          log.warn({ reason: messageOf(error) }, 'NATS is not reached; tried again until it is');
        missing = error;
        await pause(TRY_AGAIN_MS, stopping.signal);
      }
    }
  };
  void open();

  return {
    /** Hears every message of `ears` in this very process, from the moment on in which NATS is there. */
    watch: (ears: readonly EventHandler[]): void => {
      watched.push(...ears);
      bus?.watch(ears);
    },
    /**
     * For the first contact: passes with a connection, and without one once the grace is over, unless NATS refuses us:
     * that is not an outage but a wrong password.
     */
    notRefused: async (): Promise<void> => {
      if (bus !== undefined) return;
      if (missing instanceof AuthorizationError || performance.now() - since < graceMs) throw missing;
    },
    close: async (): Promise<void> => {
      stopping.abort();
      await bus?.close();
    },
  };
}
