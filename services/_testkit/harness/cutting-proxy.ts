/** A TCP proxy in front of a server: it can drop the responses, refuse connections, and record what clients send. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '../servers/free-port.ts';

export type CuttingProxy = {
  readonly port: number;
  /** The proxy's own address, by HTTP. */
  readonly url: string;
  /** The target of connections; to be called before the first one. */
  readonly forwardTo: (port: number) => void;
  /** Drops all responses from now on; requests still arrive. */
  readonly dropResponses: () => void;
  /** New connections work again; the others stay open without responses. */
  readonly passNewConnections: () => void;
  /** Bytes dropped since `dropResponses`. */
  readonly droppedBytes: () => number;
  /** Everything that clients sent, byte for byte; for a proxy that records. */
  readonly sent: () => string;
  /** Breaks every connection and refuses new ones, as if the server were down. */
  readonly refuse: () => void;
  /** Breaks every connection; new ones work again in both directions. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
};

/**
 * Listens on a free loopback port.
 * @param server its address, such as `http://127.0.0.1:9000`; without it, `forwardTo` names its port
 */
export async function openCuttingProxy(server?: string, { records = false } = {}): Promise<CuttingProxy> {
  const { open, keep } = openSockets();
  const silent = new WeakSet<Socket>();
  const recorded: Buffer[] = [];
  const { hostname, port } = new URL(server ?? 'http://127.0.0.1:1');
  let target = Number(port);
  let dropping = false;
  let droppedBytes = 0;
  const listener = createServer((near) => {
    const far = connect(target, hostname);
    if (dropping) silent.add(far);
    keep(near);
    keep(far);
    if (records) near.on('data', (data) => void recorded.push(data));
    near.pipe(far);
    far.on('data', (data) => {
      if (silent.has(far)) droppedBytes += data.length;
      else near.write(data);
    });
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
  });
  const own = await freePort(); // no client socket takes it while connections are refused
  await once(listener.listen(own, '127.0.0.1'), 'listening');
  const breakAll = (): void => {
    for (const socket of open) socket.destroy();
    dropping = false;
  };
  return {
    port: own,
    url: `http://127.0.0.1:${own}`,
    forwardTo: (port) => {
      target = port;
    },
    dropResponses: () => {
      dropping = true;
      droppedBytes = 0;
      for (const socket of open) silent.add(socket);
    },
    passNewConnections: () => {
      dropping = false;
    },
    droppedBytes: () => droppedBytes,
    sent: () => Buffer.concat(recorded).toString('latin1'),
    refuse: () => {
      listener.close();
      breakAll();
    },
    cut: () => {
      breakAll();
      if (!listener.listening) listener.listen(own, '127.0.0.1');
    },
    close: async () => {
      const closed = listener.listening && once(listener, 'close');
      if (closed) listener.close();
      breakAll();
      await closed;
    },
  };
}

/** The open sockets: each is removed when it closes. */
function openSockets() {
  const open = new Set<Socket>();
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => undefined); // the other side was killed, as tests of this proxy do
    socket.on('close', () => open.delete(socket));
  };
  return { open, keep };
}
