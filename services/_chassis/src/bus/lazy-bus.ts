/** A bus for services that must start and scale out while NATS is unavailable: viewers are served without it. */
import { connectionOf, openBus, type Bus, type BusOptions } from './bus.ts';
import { connectionState, isMisconfigured, openNats, reporter } from './connection.ts';
import type { EventHandler } from './event-handler.ts';
import type { StreamBounds } from './streams.ts';
import type { EventType } from '@vds/proto/events';
import { pause } from '../async.ts';
import { AppError } from '../errors.ts';

type LazyBusOptions = BusOptions & {
  /** How long the startup check fails while the server is unreachable. */
  readonly graceMs?: number;
};

const RETRY_MS = 500;

/** Connects in the background, for a service that watches, and publishes what it can do without. */
export function connectLazyBus({ graceMs = 5_000, ...options }: LazyBusOptions) {
  const { log, metrics } = options;
  const stopping = new AbortController();
  const state = connectionState(metrics);
  const startedAt = performance.now();
  const watched: EventHandler[] = [];
  let bounds: StreamBounds | undefined;
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
        if (bounds) await bus.ownStream(bounds);
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
    /** Keeps this service's own stream in existence, from the moment the connection exists. */
    ownStream: (given: StreamBounds): void => {
      bounds = given;
      void bus?.ownStream(given);
    },
    /** @throws AppError UNAVAILABLE without a connection */
    publish: async <In>(event: EventType<In, unknown>, payload: In, messageId: string): Promise<void> => {
      if (!bus) throw new AppError('UNAVAILABLE', 'not connected to NATS yet');
      await bus.publish(event, payload, messageId);
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
