/** A request with a header that HTTP libraries refuse to send: its bytes are written to a bare connection. */
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { Partner } from '../harness/partner-client.ts';

/** Every response on the connection, as text; more than one where the header smuggled in another request. */
export async function sendRaw({ base, key }: Partner, header: string, body: string): Promise<string> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(15_000, () => socket.destroy(new Error('no answer to a raw request within 15 s')));
  const head = [
    'POST /v1/videos HTTP/1.1',
    `host: ${hostname}`,
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    header,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return readText(socket);
}

/** The status of each response. */
export function statusesIn(answer: string): number[] {
  return [...answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}
