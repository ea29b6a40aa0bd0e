/** A server that gives the answers that a test lays out, in their order, and keeps what it was asked. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, type Client, type ClientOptions } from '../src/client.ts';

/** One answer; `drop`: the connection is cut without one. */
export type Laid = 'drop' | 'silence' | { status: number; body?: unknown; headers?: Record<string, string> };
export type Heard = { method: string; path: string; headers: IncomingMessage['headers']; body: string };

export const KEY = `svc_live_${'k'.repeat(24)}_${'s'.repeat(32)}`;

export function fault(status: number, code: string, headers: Record<string, string> = {}): Laid {
  return {
    status,
    body: { error: { code, message: 'A sentence.', request_id: 'req_1' } },
    headers: { 'x-request-id': 'req_1', ...headers },
  };
}

/** Starts it. `waits` are the milliseconds that the client would have slept; no test waits for them. */
export async function standIn(laid: Laid[], options: Partial<ClientOptions> = {}, random = 0.5) {
  const heard: Heard[] = [];
  const waits: number[] = [];
  const serve = async (request: IncomingMessage): Promise<Laid> => {
    const { method = '', url: path = '', headers } = request;
    heard.push({ method, path, headers, body: await bodyOf(request) });
    return laid.shift() ?? { status: 599 };
  };
  const server = createServer((request, response) => {
    void serve(request).then((answer) => {
      if (answer === 'drop') return request.socket.destroy();
      if (answer === 'silence') return undefined;
      const { status, body, headers = {} } = answer;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      return response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sleep = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted();
    waits.push(ms);
  };
  const client: Client = createClient({ baseUrl, apiKey: KEY, ...options }, { sleep, random: () => random });
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { client, heard, waits, baseUrl, close };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}

/** What a promise was rejected with. */
export async function rejection(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it was not rejected');
}
