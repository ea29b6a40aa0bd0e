/** A TCP proxy between two services that can drop the responses. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type CuttingProxy = {
  readonly port: number;
  /** The target of connections; to be called before the first one. */
  readonly forwardTo: (port: number) => void;
  /** Drops all responses from now on; requests still arrive. */
  readonly dropResponses: () => void;
  /** New connections work again; the others stay open without responses. */
  readonly passNewConnections: () => void;
  /** Bytes dropped since `dropResponses`. */
  readonly droppedBytes: () => number;
  /** Breaks every connection, and each new one at once. */
  readonly refuse: () => void;
  /** Breaks every connection; new ones work again in both directions. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
};

/** Listens on a free loopback port. */
export async function openCuttingProxy(): Promise<CuttingProxy> {
  const { open, keep } = openSockets();
  const silent = new WeakSet<Socket>();
  let target = 0;
  let dropping = false;
  let refusing = false;
  let droppedBytes = 0;
  const server = createServer((near) => {
    if (refusing) return void near.on('error', () => undefined).destroy();
    const far = connect(target, '127.0.0.1');
    if (dropping) silent.add(far);
    keep(near);
    keep(far);
    near.pipe(far);
    far.on('data', (data) => {
      if (silent.has(far)) droppedBytes += data.length;
      else near.write(data);
    });
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of open) socket.destroy();
    dropping = false;
    refusing = false;
  };
  return {
    port: (server.address() as AddressInfo).port,
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
    refuse: () => {
      cut();
      refusing = true;
    },
    cut,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      cut();
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
