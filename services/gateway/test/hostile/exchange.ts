/** Sends a hostile request over its own socket, then probes whether the connection is still usable. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@vds/testkit/until';
import { responsesIn, type RawResponse } from '../raw.ts';
import type { Hostile } from './request.ts';

const PAUSE_MS = 25;
/** Its 404 ends the exchange on a connection that is still open. */
const probe = 'GET /the-next-request HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';

export type Exchange = {
  /** Responses to the hostile request itself. */
  readonly responses: readonly RawResponse[];
  /** Responses to the probe; none if the server closed the connection. */
  readonly after: readonly RawResponse[];
  /** Everything received. */
  readonly received: string;
};

export async function exchange(port: number, { parts, responses, next }: Hostile): Promise<Exchange> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  let closed = false;
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.once('close', () => (closed = true));
  // A server that has rejected a request may reset the connection; its response has arrived anyway.
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  const seen = (): RawResponse[] => responsesIn(Buffer.concat(chunks).toString('utf8'));
  for (const [index, part] of parts.entries()) {
    if (index > 0) await pause(PAUSE_MS);
    if (socket.writable) socket.write(part, 'latin1');
  }
  if (next === 'open') {
    await until(() => closed || seen().length >= responses.length, { everyMs: 2, what: 'the responses' });
    if (socket.writable) socket.write(probe);
  }
  await until(() => closed, { everyMs: 2, what: 'the end of the connection', capMs: 60_000 });
  const all = seen();
  const received = Buffer.concat(chunks).toString('utf8');
  return { responses: all.slice(0, responses.length), after: all.slice(responses.length), received };
}

/** Status, and the code of an error. */
export function statusAndCode({ status, body }: RawResponse): string {
  const code = status < 300 || body === '' ? undefined : (JSON.parse(body) as { error: { code: string } }).error.code;
  return code === undefined ? String(status) : `${status} ${code}`;
}
