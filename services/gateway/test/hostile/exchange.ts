/** Sends a hostile request over a socket of its own, and then asks the connection whether it still serves. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@vds/testkit/until';
import { answersIn, type RawAnswer } from '../raw.ts';
import type { Hostile } from './request.ts';

const BREATH_MS = 25;
/** Answered by nobody else: its 404 ends every exchange on a connection that lives. */
const probe = 'GET /the-next-request HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';

export type Exchange = {
  /** Answers to the hostile request itself. */
  readonly answers: readonly RawAnswer[];
  /** Answers to the request that was sent behind it; none where the server had closed. */
  readonly after: readonly RawAnswer[];
  /** All that came back. */
  readonly received: string;
};

export async function exchange(port: number, { parts, answers, next }: Hostile): Promise<Exchange> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  let closed = false;
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.once('close', () => (closed = true));
  // A server that has refused may reset what is still on its way to it; what it answered has come all the same.
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  const seen = (): RawAnswer[] => answersIn(Buffer.concat(chunks).toString('utf8'));
  for (const [index, part] of parts.entries()) {
    if (index > 0) await pause(BREATH_MS);
    if (socket.writable) socket.write(part, 'latin1');
  }
  if (next === 'open') {
    await until(() => closed || seen().length >= answers.length, { everyMs: 2, what: 'the answers' });
    if (socket.writable) socket.write(probe);
  }
  await until(() => closed, { everyMs: 2, what: 'the end of the connection', capMs: 60_000 });
  const all = seen();
  const received = Buffer.concat(chunks).toString('utf8');
  return { answers: all.slice(0, answers.length), after: all.slice(answers.length), received };
}

/** Status, and the code of an error. */
export function told({ status, body }: RawAnswer): string {
  const code = status < 300 || body === '' ? undefined : (JSON.parse(body) as { error: { code: string } }).error.code;
  return code === undefined ? String(status) : `${status} ${code}`;
}
