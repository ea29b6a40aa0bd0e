/** The one connection to NATS: opened, followed, left. */
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Metrics } from '../telemetry/metrics.ts';

type Login = {
  readonly service: string;
  readonly natsUrl: string;
  readonly natsUser: string | undefined;
  readonly natsPassword: string | undefined;
};
export type ConnectionGauge = ReturnType<typeof connectionGauge>;
export type Connection = ReturnType<typeof watchConnection>;

/**
 * Connects, and goes on trying for ever after every break, and at the start unless it is to try `once`. Only then it is
 * known why there is no connection.
 */
export function openNats(options: Login, { once = false } = {}): Promise<NatsConnection> {
  return connect({
    servers: options.natsUrl,
    name: options.service,
    inboxPrefix: `_INBOX_${options.service}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    waitOnFirstConnect: !once,
    ...(options.natsUser !== undefined && { user: options.natsUser }),
    ...(options.natsPassword !== undefined && { pass: options.natsPassword }),
  });
}

/** 0 from the first moment on: a process that waits for NATS in its boot is seen too. */
export function connectionGauge(metrics: Metrics) {
  const state = { up: false };
  metrics.gauge('vds_bus_connected', '1 while NATS is reached', [], (gauge) => gauge.set(state.up ? 1 : 0));
  return state;
}

/** Follows the connection, so that nobody waits for an answer that cannot come. */
export function watchConnection(nc: NatsConnection, state: ConnectionGauge) {
  state.up = true;
  let broken = new AbortController();
  const follow = async (): Promise<void> => {
    for await (const { type } of nc.status()) {
      if (type === 'reconnect') state.up = true;
      if (type !== 'disconnect') continue;
      state.up = false;
      broken.abort();
      broken = new AbortController();
    }
  };
  return {
    isUp: (): boolean => state.up,
    /** `work`, unless the connection breaks first. */
    orLost: <T>(work: Promise<T>): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        const { signal } = broken;
        const onLost = (): void => reject(new Error('the connection broke'));
        signal.addEventListener('abort', onLost, { once: true });
        void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onLost));
      }),
    ended: follow(),
  };
}

/** Lets what is under way end; a server that is away has nothing to be drained into. */
export async function leaveNats(nc: NatsConnection): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('NATS does not answer')), 2_000);
  try {
    await Promise.race([nc.drain(), promise]);
  } catch {
    await nc.close(); // Unacknowledged messages come again, to whoever hears next.
  } finally {
    clearTimeout(timer);
  }
}
