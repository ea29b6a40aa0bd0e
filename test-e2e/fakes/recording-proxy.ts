/** A proxy in front of a server that records every byte its clients send. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type Recording = {
  readonly port: number;
  /** Everything that was sent to the server, byte for byte. */
  readonly text: () => string;
  readonly close: () => Promise<void>;
};

/** @param url of the server, such as nats://127.0.0.1:4222 */
export async function startRecording(url: string): Promise<Recording> {
  const { hostname, port } = new URL(url);
  const sent: Buffer[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) keep(socket);
    client.on('data', (data) => sent.push(data));
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    text: () => Buffer.concat(sent).toString('latin1'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        sockets.forEach((socket) => socket.destroy());
      }),
  };
}
