/**
 * HTTP to object storage. Every request has deadlines and ends with the work that makes it; a rejected one is an error
 * with S3's own code.
 */
import http from 'node:http';
import https from 'node:https';
import { currentSignal } from '../process/current-signal.ts';
import { rejected } from './storage-error.ts';

export type Deadlines = {
  /** Until connected. */
  readonly connectMs: number;
  /** How long the server may be silent: until its response begins, and between any two bytes of a body. */
  readonly silentMs: number;
  /** A whole request, to the last byte of its response; unlimited by default. */
  readonly callMs: number | undefined;
};

export type Transport = Pick<typeof http, 'request'>;

type Fail = (error: Error) => void;

const MAX_ERROR_BYTES = 64 * 1024;

export function createTransport(secure: boolean, deadlines: Deadlines): Transport {
  const { request: open } = secure ? https : http;
  const request = (options: http.RequestOptions, onResponse: (response: http.IncomingMessage) => void) => {
    currentSignal()?.throwIfAborted();
    let response: http.IncomingMessage | undefined;
    const sent = open(options, (received) => {
      response = received;
      if ((received.statusCode ?? 0) >= 400) void reject(sent, received);
      else onResponse(received);
    });
    // Once there is a response, an error of the request reaches nobody.
    const fail: Fail = (error) => void (response ?? sent).destroy(error);
    limitTime(sent, deadlines, fail);
    limitSilence(sent, deadlines, () => waitsForServer(sent, response), fail);
    return sent;
  };
  return { request: request as typeof http.request };
}

/**
 * For storage that takes an access token instead of a signature: the session token of the signature is sent as the bearer,
 * and other headers under Google's names. https://cloud.google.com/storage/docs/xml-api/reference-headers
 */
export function withBearer({ request: open }: Transport): Transport {
  const request = (options: http.RequestOptions, onResponse: (response: http.IncomingMessage) => void) => {
    const given = options.headers as Record<string, string>;
    const { 'x-amz-security-token': token, 'x-amz-date': _time, 'x-amz-content-sha256': _digest, ...rest } = given;
    if (token === undefined) return open(options, onResponse);
    const named = Object.entries(rest).map(([name, value]) => [name.replace(/^x-amz-/, 'x-goog-'), value]);
    return open(
      { ...options, headers: { ...Object.fromEntries(named), authorization: `Bearer ${token}` } },
      onResponse,
    );
  };
  return { request: request as typeof http.request };
}

/** Ends the request on a timeout, without a connection, and with the work in progress. */
function limitTime(sent: http.ClientRequest, { connectMs, callMs }: Deadlines, fail: Fail): void {
  const signal = currentSignal();
  const onAbort = (): void => fail(signal?.reason as Error);
  signal?.addEventListener('abort', onAbort, { once: true });
  const onConnectLate = (): void => {
    if (sent.socket?.connecting !== false) fail(late(`no connection within ${connectMs} ms`));
  };
  const timers = [setTimeout(onConnectLate, connectMs)];
  if (callMs !== undefined) timers.push(setTimeout(() => fail(late(`no whole response within ${callMs} ms`)), callMs));
  sent.once('close', () => {
    signal?.removeEventListener('abort', onAbort);
    for (const timer of timers) clearTimeout(timer);
  });
}

/**
 * Ends the request when no byte has passed for `silentMs` spent waiting for the server. Checked twice in that time: a
 * paused reader may resume just before one of the checks.
 */
function limitSilence(sent: http.ClientRequest, { silentMs }: Deadlines, isWaiting: () => boolean, fail: Fail): void {
  sent.once('socket', (socket) => {
    let waitedAt: string | undefined;
    const onTimeout = (): void => {
      const bytes = [socket.bytesRead, socket.bytesWritten, socket.writableLength].join();
      if (isWaiting() && waitedAt === bytes) return fail(late(`no byte for ${silentMs} ms`));
      waitedAt = isWaiting() ? bytes : undefined;
      socket.setTimeout(silentMs / 2);
    };
    socket.setTimeout(silentMs / 2).on('timeout', onTimeout);
    sent.once('close', () => socket.setTimeout(0).off('timeout', onTimeout));
  });
}

/** The error of storage that is silent for too long. */
export function late(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}

/**
 * Whether a request without traffic waits for the server, not for the reader of its response or the source of its body.
 */
function waitsForServer(sent: http.ClientRequest, response: http.IncomingMessage | undefined): boolean {
  if (response) return !response.complete && response.readableLength < response.readableHighWaterMark;
  return sent.writableEnded || (sent.socket?.writableLength ?? 0) > 0;
}

/** Fails a request that the server has rejected with the server's own error. */
async function reject(sent: http.ClientRequest, response: http.IncomingMessage): Promise<void> {
  try {
    let body = '';
    for await (const chunk of response.setEncoding('utf8')) if (body.length < MAX_ERROR_BYTES) body += String(chunk);
    const serverTime = Date.parse(response.headers.date ?? '');
    const status = response.statusCode ?? 0;
    sent.emit('error', rejected({ status, body, serverTime: Number.isNaN(serverTime) ? undefined : serverTime }));
  } catch (error) {
    sent.emit('error', error);
  }
}
