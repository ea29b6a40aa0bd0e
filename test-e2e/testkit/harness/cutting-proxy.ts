/** A wire between two services that can be told to lose what comes back. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type CuttingProxy = {
  readonly port: number;
  /** Where connections go; to be told before the first one. */
  readonly aim: (port: number) => void;
  /** From now on nothing comes back: requests still arrive. */
  readonly mute: () => void;
  /** New connections work again; those that were muted stay as they are, open and silent. */
  readonly unmuteNew: () => void;
  /** Bytes that were lost since `mute`. */
  readonly swallowed: () => number;
  /** Breaks every connection; new ones work again in both directions. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
};

/** Listens on a free port of loopback. */
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

/** The sockets that are open: each leaves when it closes. */
function openSockets() {
  const open = new Set<Socket>();
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => undefined); // the other side was killed: that is what the proxy is for
    socket.on('close', () => open.delete(socket));
  };
  return { open, keep };
}
