/** A plain TCP server that keeps every byte it receives: the judge of what a client sends in clear text. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

export type RecordingServer = {
  readonly port: number;
  /** Everything received so far, over all connections. */
  readonly received: () => string;
  /** How many connections there have been. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

type Behaviour = {
  /** Sent to every new connection. */
  readonly greeting?: string;
  /** What to answer to received bytes; nothing by default. */
  readonly answer?: (received: Buffer) => string | undefined;
  /** 0: a free one. */
  readonly port?: number;
};

/** Listens on loopback. */
export async function openRecordingServer({ greeting, answer, port = 0 }: Behaviour = {}): Promise<RecordingServer> {
  const sockets = new Set<Socket>();
  let received = '';
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined); // the client may leave at any time
    socket.on('close', () => sockets.delete(socket));
    if (greeting !== undefined) socket.write(greeting);
    socket.on('data', (data) => {
      received += data.toString('latin1');
      const reply = answer?.(data);
      if (reply !== undefined) socket.write(reply);
    });
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received,
    connections: () => connections,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
