/** A TCP proxy between two services that can drop the responses. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type CuttingProxy = {
  readonly port: number;
  /** The target of connections; to be called before the first one. */
  readonly aim: (port: number) => void;
  /** Drops all responses from now on; requests still arrive. */
  readonly mute: () => void;
  /** New connections work again; muted ones stay open and silent. */
  readonly unmuteNew: () => void;
  /** Bytes dropped since `mute`. */
  readonly swallowed: () => number;
  /** Breaks every connection; new ones work again in both directions. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
};

/** Listens on a free loopback port. */
export async function openCuttingProxy(): Promise<CuttingProxy> {
  const { open, keep } = openSockets();
  const silent = new WeakSet<Socket>();
  let target = 0;
  let muted = false;
  let swallowed = 0;
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    if (muted) silent.add(far);
    keep(near);
    keep(far);
    near.pipe(far);
    far.on('data', (data) => {
      if (silent.has(far)) swallowed += data.length;
      else near.write(data);
    });
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of open) socket.destroy();
    muted = false;
  };
  return {
    port: (server.address() as AddressInfo).port,
    aim: (port) => {
      target = port;
    },
    mute: () => {
      muted = true;
      swallowed = 0;
      for (const socket of open) silent.add(socket);
    },
    unmuteNew: () => {
      muted = false;
    },
    swallowed: () => swallowed,
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
