/** A collector of traces (OTLP over HTTP) that keeps every byte it receives. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Collector = {
  /** The settings with which a service exports its spans here, soon and as JSON. */
  readonly environment: Readonly<Record<string, string>>;
  /** All received data, byte for byte. */
  readonly text: () => string;
  readonly close: () => Promise<void>;
};

export async function startCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const body: Buffer[] = [];
    request.on('data', (chunk: Buffer) => body.push(chunk));
    request.once('end', () => {
      bodies.push(`${request.url}\n${JSON.stringify(request.headers)}\n${Buffer.concat(body).toString('latin1')}`);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
    text: () => bodies.join('\n'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
