/** The one connection to NATS: opened, followed, left. */
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Metrics } from './metrics.ts';

type Login = {
  readonly service: string;
  readonly natsUrl: string;
  readonly natsUser: string | undefined;
  readonly natsPassword: string | undefined;
};

/** Connects, and goes on trying for ever, at the start and after every break. */
export const openNats = (options: Login): Promise<NatsConnection> =>
  connect({
    servers: options.natsUrl,
    name: options.service,
    inboxPrefix: `_INBOX_${options.service}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    waitOnFirstConnect: true,
    ...(options.natsUser !== undefined && { user: options.natsUser }),
    ...(options.natsPassword !== undefined && { pass: options.natsPassword }),
  });

/** Follows the connection, so that nobody waits for an answer that cannot come. */
export const watchConnection = (nc: NatsConnection, metrics: Metrics) => {
  let up = true;
  metrics.gauge('vds_bus_connected', '1 while NATS is reached', [], (gauge) => gauge.set(up ? 1 : 0));
  let broken = new AbortController();
  const follow = async (): Promise<void> => {
    for await (const { type } of nc.status()) {
      if (type === 'reconnect') up = true;
      if (type !== 'disconnect') continue;
      up = false;
      broken.abort();
      broken = new AbortController();
    }
  };
  return {
    isUp: (): boolean => up,
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
};
export type Connection = ReturnType<typeof watchConnection>;

/** Lets what is under way end; a server that is away has nothing to be drained into. */
export const leaveNats = async (nc: NatsConnection): Promise<void> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('NATS does not answer')), 2_000);
  try {
    await Promise.race([nc.drain(), promise]);
  } catch {
    await nc.close(); // Unacknowledged messages come again, to whoever hears next.
  } finally {
    clearTimeout(timer);
  }
};
