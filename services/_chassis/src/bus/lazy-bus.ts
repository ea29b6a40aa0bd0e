/** A bus for services that must start and scale out while NATS is unavailable: viewers are served without it. */
import { connectionOf, openBus, type Bus, type BusOptions } from './bus.ts';
import { connectionState, isMisconfigured, openNats, reporter } from './connection.ts';
import type { EventHandler } from './event-handler.ts';
import { pause } from '../async.ts';

type LazyBusOptions = BusOptions & {
  /** How long the startup check fails while the server is unreachable. */
  readonly graceMs?: number;
};

const RETRY_MS = 500;

/** Connects in the background, for a service that only watches. */
export function connectLazyBus({ graceMs = 5_000, ...options }: LazyBusOptions) {
  const { log, metrics } = options;
  const stopping = new AbortController();
  const state = connectionState(metrics);
  const startedAt = performance.now();
  const watched: EventHandler[] = [];
  let bus: Bus | undefined;
  const report = reporter(log, 'cannot connect to NATS, retrying');
  let lastError: unknown = new Error('not connected to NATS yet');

  const open = async (): Promise<void> => {
    while (!stopping.signal.aborted && bus === undefined) {
      try {
        const nc = await openNats(connectionOf(options));
        if (stopping.signal.aborted) return await nc.close();
        bus = await openBus(nc, state, options);
        if (watched.length > 0) bus.watch(watched);
      } catch (error) {
        report(error);
        lastError = error;
        await pause(RETRY_MS, stopping.signal);
      }
    }
  };
  void open();

  return {
    /** Delivers every event of `handlers` to this process, from the moment the connection exists. */
    watch: (handlers: readonly EventHandler[]): void => {
      watched.push(...handlers);
      bus?.watch(handlers);
    },
    /**
     * A startup check: passes once connected, and without a connection after the grace period, unless NATS rejects the
     * credentials or offers no TLS: that is a misconfiguration, not an outage.
     */
    startupCheck: async (): Promise<void> => {
      if (bus !== undefined) return;
      if (isMisconfigured(lastError) || performance.now() - startedAt < graceMs) throw lastError;
    },
    close: async (): Promise<void> => {
      stopping.abort();
      await bus?.close();
    },
  };
}
