/**
 * Requests that are not valid HTTP: those that Node's parser lets through, and those that Node would reject by itself.
 * Both get the error envelope and one of the interface's statuses.
 */
import { METHODS, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { envelope, NO_SUCH_PATH, securityHeaders, type Fault } from './envelope.ts';

type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly bytesParsed?: number };

const LINGER_MS = 2_000;
const hostHeader = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.v]+\])(?::\d*)?$/i;
const messages: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the request line and headers must be at most 16 KiB',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};
// RFC 9110 §9.1: any token is a method; Node's parser knows only some, and all that the spec does not list are 404. A
// JSON body may end right before it; anything else on the line is not a request.
const requestLine = /^(?:.*\})?([!#$%&'*+.^_`|~\w-]+) \S+ HTTP\/1\.[01]$/;
/** With these the parser stops at the method of an otherwise readable request line (it knows RTSP's, only to reject them). */
const methodCodes = ['HPE_INVALID_METHOD', 'HPE_INVALID_CONSTANT'];

/** The error in a request that Node's parser accepts; undefined for a valid one. */
export function framingError(request: IncomingMessage): string | undefined {
  const { httpVersion } = request;
  // RFC 1945's simple request reaches the app as 0.9; its client could not even read a status.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'the request must be HTTP/1.1';
  // RFC 9112 §3.2: a request of HTTP/1.1 has exactly one Host header, which is nothing but a host.
  const hosts = request.headersDistinct['host'] ?? [];
  const validHost = hosts.length === 1 ? hostHeader.test(hosts[0] ?? '') : hosts.length === 0 && httpVersion === '1.0';
  if (!validHost) return 'the header Host must be sent once and hold a host';
  // RFC 9112 §6.1: HTTP/1.0 has no codings; of others Node removes the chunks and keeps the rest encoded.
  const coding = request.headers['transfer-encoding'];
  if (coding !== undefined && (httpVersion !== '1.1' || coding.trim().toLowerCase() !== 'chunked'))
    return 'the only transfer-encoding is chunked, in HTTP/1.1';
  return undefined;
}

/**
 * The target of a request in origin form (RFC 9112 §3.2.2). Express parses every other form with `url.parse`, which
 * throws for some, past every error handler of the app. A `#` is not allowed in a target; encoded it matches no path.
 */
export function originForm(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').replaceAll('#', '%23');
  return path.startsWith('/') ? path : `/${path}`;
}

/**
 * Handles everything that Node would respond to without calling the app: invalid HTTP, `Expect`, CONNECT. The app also gets
 * requests that wait for `100 Continue`, which it sends when it reads the body.
 */
export function handleParserErrors(server: Server, newRequestId: () => string): void {
  const latest = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>();
  const rejected = new WeakSet<Duplex>();
  server.on('request', (request, response) => latest.set(request.socket, { request, response }));
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => respondRaw(socket, NO_SUCH_PATH, newRequestId()));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (rejected.has(socket)) return;
    rejected.add(socket);
    if (!socket.writable) return void socket.destroy();
    const { request, response } = latest.get(socket) ?? {};
    const respond = (): void => respondRaw(socket, parserFault(error), newRequestId());
    if (!request || !response) return respond();
    // The error lies after the latest request on this connection, whose response comes first, or in its body.
    if (request.complete) return void (response.writableFinished ? respond() : response.once('finish', respond));
    // One response per request: a second one would be taken for that of the next request.
    if (response.headersSent) endGracefully(socket);
    else respond();
  });
}

/** Writes a whole response to a bare socket and ends it. */
function respondRaw(socket: Duplex, fault: Fault, requestId: string): void {
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
  endGracefully(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

function parserFault(error: ParserError): Fault {
  const { code = '' } = error;
  const method = methodCodes.includes(code) ? requestLine.exec(failedLine(error))?.[1] : undefined;
  if (method !== undefined && !METHODS.includes(method)) return NO_SUCH_PATH;
  return { status: 400, code: 'invalid_input', message: messages[code] ?? 'the request is not valid HTTP' };
}

/** The line at which the parser stopped; other requests, or a body, may precede it. */
function failedLine({ rawPacket, bytesParsed = 0 }: ParserError): string {
  const text = rawPacket?.toString('latin1') ?? '';
  const end = text.indexOf('\r\n', bytesParsed);
  return end === -1 ? '' : text.slice(bytesParsed === 0 ? 0 : text.lastIndexOf('\n', bytesParsed - 1) + 1, end);
}

/** Ends a socket but keeps reading and discarding, so that a response in transit is not lost to a reset. */
function endGracefully(socket: Duplex, last = ''): void {
  socket.end(last);
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
