/** Raw TCP requests to an HTTP server, which no HTTP client would send. */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type RawResponse = { readonly status: number; readonly headers: Headers; readonly body: string };

/** Parses the responses in the received text, by `content-length`. */
export function responsesIn(received: string): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = received;
  while (rest.includes('\r\n\r\n')) {
    const end = rest.indexOf('\r\n\r\n');
    const [start = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = new Headers(
      lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
    );
    const length = Number(headers.get('content-length') ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    responses.push({ status: Number(start.split(' ')[1]), headers, body });
    rest = rest.slice(end + 4 + length);
  }
  return responses;
}

/**
 * Sends `parts` one after the other and reads until the server closes the connection.
 * @param everyMs pause between two parts
 */
export async function sendRaw(port: number, parts: readonly (string | Buffer)[], everyMs = 0): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => socket.destroy());
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  for (const part of parts) {
    if (socket.writable) socket.write(part, 'latin1');
    if (everyMs > 0) await pause(everyMs);
  }
  await closed;
  return Buffer.concat(chunks).toString('utf8');
}
