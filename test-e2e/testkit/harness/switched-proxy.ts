/** A TCP proxy that can be switched off: connections break, and new ones are refused, as if the server were away. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../servers/free-port.ts';

/** @param target address of the server, such as `http://127.0.0.1:7070` */
export async function openSwitchedProxy(target: string) {
  const { hostname, port } = new URL(target);
  const ownPort = await freePort();
  const sockets = new Set<Socket>();
  let server: Server | undefined;

  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined); // the other side was switched off
    socket.on('close', () => sockets.delete(socket));
  };
  const switchOn = async (): Promise<void> => {
    server = createServer((near) => {
      const far = connect(Number(port), hostname);
      keep(near);
      keep(far);
      near.pipe(far).pipe(near);
      far.on('close', () => near.destroy());
      near.on('close', () => far.destroy());
    });
    await once(server.listen(ownPort, '127.0.0.1'), 'listening');
  };
  const switchOff = async (): Promise<void> => {
    if (!server) return;
    const closed = once(server, 'close');
    server.close();
    server = undefined;
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await switchOn();
  return { url: `http://127.0.0.1:${ownPort}`, switchOn, switchOff };
}
