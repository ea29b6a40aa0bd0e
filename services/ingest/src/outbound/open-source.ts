/** One GET of a source over HTTP/1.1, redirects followed, each hop dialled and checked from zero. */
import { request as requestOver, type ClientRequest, type IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { ResponseHeaders } from '../domain/source-response.ts';
import { faultKindOf, sourceFault } from '../domain/source-fault.ts';
import { parseSourceUrl, redirectLocation } from '../domain/source-url.ts';
import { tlsFaultOf } from '../domain/tls-failure.ts';
import { countRead, emptyWindow, type RateLimit } from '../domain/transfer-rate.ts';
import { withDeadline } from './deadline.ts';
import type { Dial } from './dial-source.ts';

const MAX_REDIRECTS = 5;
/** Answers before the one that counts, also a 100 that nobody asked for (RFC 9110 §15.2); hosts send one or two. */
const MAX_INTERIM = 20;
const USER_AGENT = 'vds-ingest/1.0';

export type OpenSourceOptions = {
  readonly dial: Dial;
  readonly isPinned: (url: URL) => boolean;
  readonly headersMs: number;
  readonly idleMs: number;
  readonly rate: RateLimit;
};

export type OpenedSource = {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The next bytes, or undefined at the proper end. Throws body_truncated, idle_timeout or rate_too_low. */
  readonly read: () => Promise<Buffer | undefined>;
  readonly close: () => Promise<void>;
};

/** Requests the bytes from `from` on, provided that the file still matches `validator`. */
export type Range = { readonly from: number; readonly validator: string };
export type OpenSource = (address: string, range: Range | undefined, signal: AbortSignal) => Promise<OpenedSource>;

type Hop = Omit<OpenedSource, 'read'> & { readonly body: AsyncIterable<Buffer>; readonly cutShort: () => boolean };

/**
 * Creates the function that opens a source. It throws faults of the dialer, of redirects and of the response's head.
 */
export function createSourceOpener(options: OpenSourceOptions): OpenSource {
  return async (address, range, signal) => {
    let url = parseSourceUrl(address, options.isPinned);
    for (let followed = 0; ; followed++) {
      const hop = await openHop(url, range, signal, options);
      try {
        const { status, headers } = hop;
        const redirect = { status, location: headers['location'], from: url };
        const location = redirectLocation(redirect, followed, MAX_REDIRECTS);
        if (location === undefined)
          return { status, headers, close: hop.close, read: createReader(hop, signal, options) };
        url = parseSourceUrl(location, options.isPinned);
      } catch (error) {
        await hop.close();
        throw error;
      }
      await hop.close();
    }
  };
}

/** One request on one fresh connection. */
async function openHop(
  url: URL,
  range: Range | undefined,
  signal: AbortSignal,
  { dial, headersMs }: OpenSourceOptions,
): Promise<Hop> {
  const socket = await dial(url, signal);
  const { pathname, search, host } = url;
  const get = requestOver({
    path: pathname + search,
    headers: { host, connection: 'keep-alive', ...requestHeaders(range) },
    // The connection exists already: Node neither resolves nor dials, and has no agent.
    createConnection: () => socket,
  });
  const close = async (): Promise<void> => void socket.destroy();
  let interim = 0;
  get.on('information', () => {
    interim += 1;
    if (interim > MAX_INTERIM) get.destroy(sourceFault('response_invalid'));
  });
  // Stays for the connection's lifetime: what comes after the response is no part of it.
  get.on('error', () => {});
  try {
    const body = await withDeadline(
      headersMs,
      () => sourceFault('headers_timeout'),
      signal,
      () => responseTo(get),
    );
    body.on('error', () => {}); // A reader sees the error; without a reader it does not matter.
    // Node takes a reset for the proper end of a body that has neither a length nor chunks.
    const cutShort = (): boolean => (socket.errored as NodeJS.ErrnoException | null)?.code === 'ECONNRESET';
    return { status: body.statusCode ?? 0, headers: single(body.headersDistinct), body, close, cutShort };
  } catch (error) {
    await close();
    throw signal.aborted || faultKindOf(error) ? error : faultOfNoResponse(error, socket);
  }
}

function responseTo(get: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get.once('response', resolve);
    get.once('error', reject);
    // Without an error after 101, a change of protocol that nobody asked for.
    get.once('close', () => reject(new Error('closed')));
    get.end();
  });
}

function faultOfNoResponse(error: unknown, socket: TLSSocket): Error {
  // With TLS 1.3 a host that requires a client certificate reports it only after our handshake is done.
  const tlsFault = tlsFaultOf(error) ?? tlsFaultOf(socket.errored);
  // Of the parser: https://nodejs.org/api/errors.html#hpe_header_overflow
  const isBroken = String((error as NodeJS.ErrnoException | null)?.code).startsWith('HPE_');
  return sourceFault(tlsFault ?? (isBroken ? 'response_invalid' : 'response_missing'), { cause: error });
}

function requestHeaders(range: Range | undefined): Record<string, string> {
  return {
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': USER_AGENT,
    ...(range && { range: `bytes=${range.from}-`, 'if-range': range.validator }),
  };
}

function single(headers: IncomingMessage['headersDistinct']): ResponseHeaders {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, values]) => (values?.length === 1 ? [[name, values[0]]] : [])),
  );
}

/** Reads with the idle deadline and the minimum rate. */
function createReader({ body, cutShort }: Hop, signal: AbortSignal, { idleMs, rate }: OpenSourceOptions) {
  const iterator = body[Symbol.asyncIterator]();
  let window = emptyWindow;
  return async (): Promise<Buffer | undefined> => {
    const began = performance.now();
    const next = await withDeadline(
      idleMs,
      () => sourceFault('idle_timeout'),
      signal,
      () => iterator.next(),
    ).catch((error: unknown) => {
      throw signal.aborted || faultKindOf(error) ? error : sourceFault('body_truncated', { cause: error });
    });
    if (next.done) {
      if (cutShort()) throw sourceFault('body_truncated');
      return undefined;
    }
    const counted = countRead(window, next.value.length, performance.now() - began, rate);
    if (counted.tooSlow) throw sourceFault('rate_too_low');
    window = counted.window;
    return next.value;
  };
}
