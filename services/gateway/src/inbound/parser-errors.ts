/** What Node's HTTP server would answer by itself, answered with our envelope instead, and only with our statuses. */
import { METHODS, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { envelope, securityHeaders, type Fault } from './envelope.ts';

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
// A JSON body may end right before it; anything else on the line is no request.
const requestLine = /^(?:.*\})?([!#$%&'*+.^_`|~\w-]+) \S+ HTTP\/1\.[01]$/;
/** With these the parser stops in a request line that it could read but for its method; RTSP's it knows, to refuse them. */
const methodCodes = ['HPE_INVALID_METHOD', 'HPE_INVALID_CONSTANT'];

type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly bytesParsed?: number };

/**
 * Takes over everything that Node answers without asking the app: bad HTTP, `Expect`, CONNECT. The app also gets the
 * requests that wait for `100 Continue`; it sends that itself when it wants the body.
 */
export function rejectLikeTheApp(server: Server, newRequestId: () => string): void {
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
    const answer = (): void => answerRaw(socket, fault, newRequestId());
    if (!request || !response) return answer();
    // The fault lies behind the latest request on this connection, which is answered first, or in that one's body.
    if (request.complete) return void (response.writableFinished ? answer() : response.once('finish', answer));
    // One request, one answer: a second would be taken for that of the next request.
    if (response.headersSent) endGently(socket);
    else answer();
  });
}

/** Writes a whole answer on a bare socket and ends it. */
function answerRaw(socket: Duplex, fault: Fault, requestId: string): void {
  const body = envelope(fault, requestId);
  const head = [
    `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    `date: ${new Date().toUTCString()}`,
    ...Object.entries(securityHeaders).map(([name, value]) => `${name}: ${value}`),
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  endGently(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

function faultOf(error: ParserError): Fault {
  const method = methodCodes.includes(error.code ?? '') ? requestLine.exec(lineOf(error))?.[1] : undefined;
  if (method !== undefined && !METHODS.includes(method)) return nothingHere;
  return { ...refusal, message: sentences[error.code ?? ''] ?? refusal.message };
}

/** The line in which the parser stopped; other requests, or a body, may lie before it. */
function lineOf({ rawPacket, bytesParsed = 0 }: ParserError): string {
  const text = rawPacket?.toString('latin1') ?? '';
  const end = text.indexOf('\r\n', bytesParsed);
  return end === -1 ? '' : text.slice(bytesParsed === 0 ? 0 : text.lastIndexOf('\n', bytesParsed - 1) + 1, end);
}

/** Ends a socket; what still comes in is dropped, so that an answer on its way is not lost. */
function endGently(socket: Duplex, last = ''): void {
  socket.end(last);
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
