/** What Node's HTTP server would answer by itself, answered with our envelope instead, and only with our statuses. */
import { METHODS, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { envelope, type Fault } from './envelope.ts';

const LINGER_MS = 2_000;
const refusal: Fault = { status: 400, code: 'invalid_input', message: 'the request is not valid HTTP' };
const sentences: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the request line and headers must be at most 16 KiB',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};
const nothingHere: Fault = {
  status: 404,
  code: 'not_found',
  message: 'There is nothing at this path for this method.',
};

// RFC 9110 §9.1: any token is a method; Node's parser knows only some, and all that the spec does not list are 404.
const requestLine = /^([!#$%&'*+.^_`|~\w-]+) \S+ HTTP\/1\.[01]\r\n/;

const faultOf = (error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer }): Fault => {
  const method = requestLine.exec(error.rawPacket?.toString('latin1') ?? '')?.[1];
  if (error.code === 'HPE_INVALID_METHOD' && method !== undefined && !METHODS.includes(method)) return nothingHere;
  return { ...refusal, message: sentences[error.code ?? ''] ?? refusal.message };
};

/** Writes a whole answer on a bare socket and ends it; what still comes in is dropped, so that the answer is not lost. */
const answerRaw = (socket: Duplex, fault: Fault, requestId: string): void => {
  const body = envelope(fault, requestId);
  const head = [
    `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
};

/**
 * Takes over everything that Node answers without asking the app: bad HTTP, `Expect`, CONNECT. The app also gets the
 * requests that wait for `100 Continue`; it sends that itself when it wants the body.
 */
export const refuseLikeTheApp = (server: Server, newRequestId: () => string): void => {
  const answering = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>();
  const refused = new WeakSet<Duplex>();
  server.on('request', (request, response) => answering.set(request.socket, { request, response }));
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => answerRaw(socket, nothingHere, newRequestId()));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    if (!socket.writable) return void socket.destroy();
    const fault = faultOf(error);
    const { request, response } = answering.get(socket) ?? {};
    if (!response || response.writableFinished) return answerRaw(socket, fault, newRequestId());
    // The fault lies in the body of the request that is being answered, or behind it on the same connection.
    if (request?.complete) return void response.once('finish', () => answerRaw(socket, fault, newRequestId()));
    if (response.headersSent) socket.destroy();
    else answerRaw(socket, fault, newRequestId());
  });
};
