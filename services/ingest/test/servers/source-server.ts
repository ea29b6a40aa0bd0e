/** An HTTPS server on loopback that has a handler for each path and records its requests. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServerCertificate } from '@vds/deploy-tools/secrets/certificates';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;
export type SourceServer = Awaited<ReturnType<typeof startSourceServer>>;

/** Serves a buffer as a well-behaved host does: length, strong ETag, `Range` and `If-Range`. */
export function serveBytes(bytes: Buffer, etag = '"v1"'): Handler {
  return (request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? -1);
    const validator = request.headers['if-range'];
    const headers = { etag, 'accept-ranges': 'bytes', 'content-type': 'video/mp4' };
    if (from < 0 || (validator !== undefined && validator !== etag)) {
      response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes);
    } else if (from >= bytes.length) {
      response.writeHead(416, { ...headers, 'content-range': `bytes */${bytes.length}` }).end();
    } else {
      const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
      response.writeHead(206, { ...headers, 'content-range': range, 'content-length': bytes.length - from });
      response.end(bytes.subarray(from));
    }
  };
}

/** @param certificate shown to every client */
export async function startSourceServer({ key, certificate }: ServerCertificate) {
  const handlers = new Map<string, Handler>();
  const requests: IncomingMessage[] = [];
  const names: string[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request);
    response.on('error', () => {}); // The client may disconnect early.
    const handler = handlers.get((request.url ?? '').split('?')[0] ?? '');
    if (handler) handler(request, response);
    else response.writeHead(404).end('no such file');
  };
  const server = createServer(
    { key, cert: certificate, SNICallback: (name, done) => (names.push(name), done(null)) },
    listener,
  );
  server.on('tlsClientError', () => {}); // Some tests use clients that reject the certificate.
  let connections = 0;
  server.on('connection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    requests,
    /** Server names that clients sent (SNI). */
    names,
    /** TCP connections so far. */
    connections: (): number => connections,
    openConnections: (): Promise<number> =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    on: (path: string, handler: Handler): void => void handlers.set(path, handler),
    close: async (): Promise<void> => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
