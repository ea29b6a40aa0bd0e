/** A server with scripted responses, which records its requests. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, type Client, type ClientOptions } from '../src/client.ts';

/** One response; `drop`: the connection is cut without one; `silence`: there is none. */
export type Scripted = 'drop' | 'silence' | { status: number; body?: unknown; headers?: Record<string, string> };
export type Received = {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** When it arrived, by `performance.now()`. */
  at: number;
};

export const KEY = `svc_live_${'k'.repeat(24)}_${'s'.repeat(32)}`;

export function fault(status: number, code: string, headers: Record<string, string> = {}): Scripted {
  return {
    status,
    body: { error: { code, message: 'A sentence.', request_id: 'req_1' } },
    headers: { 'x-request-id': 'req_1', ...headers },
  };
}

/** Starts it. `waits` are the delays of the client in milliseconds; no test waits for them. */
export async function startFakeServer(script: Scripted[], options: Partial<ClientOptions> = {}, random = 0.5) {
  const received: Received[] = [];
  const waits: number[] = [];
  const serve = async (request: IncomingMessage): Promise<Scripted> => {
    const { method = '', url: path = '', headers } = request;
    const at = performance.now();
    received.push({ method, path, headers, body: await readBody(request), at });
    return script.shift() ?? { status: 599 };
  };
  const server = createServer((request, response) => {
    void serve(request).then((scripted) => {
      if (scripted === 'drop') return request.socket.destroy();
      if (scripted === 'silence') return undefined;
      const { status, body, headers = {} } = scripted;
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
  return { client, received, waits, baseUrl, close };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}

/** The reason of a rejected promise. */
export async function rejection(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('the promise was not rejected');
}
