/** A TCP proxy in front of a server, which a test may close and reopen: an outage of the server for its clients. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** @param url of the server behind the proxy */
export async function openTcpProxy(url: string) {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  let server: Server | undefined;
  const listen = async (at: number): Promise<number> => {
    server = createServer((socket) => {
      const behind = connect(Number(port), hostname);
      for (const end of [socket, behind]) {
        open.add(end);
        end.on('error', () => end.destroy()).on('close', () => open.delete(end));
      }
      socket.pipe(behind).pipe(socket);
    });
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as { port: number }).port;
  };
  const at = await listen(0);
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server?.close(resolve));
    for (const socket of open) socket.destroy();
    await closed;
  };
  return { url: `http://127.0.0.1:${at}`, reopen: () => listen(at), close };
}
