/** What HTTP itself asks of a request before anybody looks at its path, where Node's parser is more lenient. */
import type { IncomingMessage } from 'node:http';

const plainHost = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.v]+\])(?::\d*)?$/i;

/** The sentence about what is wrong with a request as HTTP; undefined where nothing is. */
export function framingFault(request: IncomingMessage): string | undefined {
  // RFC 1945's simple request reaches the app as 0.9; it could not even be told a status.
  if (request.httpVersion !== '1.1' && request.httpVersion !== '1.0') return 'the request must be HTTP/1.1';
  if (!hasHost(request)) return 'the header Host must be sent once and hold a host';
  if (!isPlainlyChunked(request)) return 'the only transfer-encoding is chunked, in HTTP/1.1';
  return undefined;
}

/** RFC 9112 §3.2: a request of HTTP/1.1 names its host, once, and a host is all that it names. */
function hasHost(request: IncomingMessage): boolean {
  const hosts = request.headersDistinct['host'] ?? [];
  if (hosts.length === 0) return request.httpVersion === '1.0';
  return hosts.length === 1 && plainHost.test(hosts[0] ?? '');
}

/** RFC 9112 §6.1: codings that we do not undo, and HTTP/1.0 that has none; Node undoes the chunks and keeps the rest. */
function isPlainlyChunked(request: IncomingMessage): boolean {
  const coding = request.headers['transfer-encoding'];
  return coding === undefined || (request.httpVersion === '1.1' && coding.trim().toLowerCase() === 'chunked');
}

/**
 * The target of a request in origin form (RFC 9112 §3.2.2). Express parses every other form with `url.parse`, which
 * throws for some; what it throws would leave past every handler of the app, as a page of its own. A `#` cannot be part
 * of a target; as data it names no path that we have.
 */
export function originForm(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').replaceAll('#', '%23');
  return path.startsWith('/') ? path : `/${path}`;
}
