/**
 * A connection to object storage for plain reads, one after the other. It reads into a buffer of its own, which is read into
 * again only when its bytes are written: no allocation, no copy and no stream for them.
 */
import { connect, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { ObjectsConfig } from './objects.ts';
import { late } from './transport.ts';

export type ReadConnection = {
  readonly isOpen: () => boolean;
  /**
   * Reads one object; a read at a time.
   * @returns `refused` for any other response than the wanted one and for a connection that ended before it: nothing has
   * been taken then
   * @throws where the response ends midway, or storage is silent
   */
  readonly read: (request: ReadRequest, takePart: TakePart) => Promise<Outcome>;
  /** Ends the read in progress, and the connection with it. */
  readonly abandon: () => void;
};

export type ReadRequest = {
  /** Request line and headers, with the empty line after them. */
  readonly head: string;
  /** The only response that is read. */
  readonly status: number;
  readonly length: number;
};

/** Takes a part of the body, whose bytes stay until `onTaken` is called: later, not at once. */
export type TakePart = (part: Buffer, isLast: boolean, onTaken: () => void) => void;

const MAX_HEAD_BYTES = 16 * 1024;
/** Keeps the promise that an idle replica holds no connections: shorter than storage and what is before it wait. */
const KEPT_MS = 30_000;

/**
 * Connects.
 * @param bufferBytes memory of the connection: more takes less processor time
 * @param onClose called once it is closed, by whichever side
 */
export function connectForReads(
  config: ObjectsConfig,
  bufferBytes: number,
  onClose: (connection: ReadConnection) => void,
): ReadConnection {
  const { s3ConnectMs = 5_000, s3TimeoutMs = 30_000 } = config;
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
  let reading: Reading | undefined;
  const socket = openSocket(config.s3Endpoint, {
    buffer,
    callback: (bytes) => {
      if (reading) return reading.take(buffer.subarray(0, bytes));
      socket.destroy(); // what nobody asked for
      return false;
    },
  });
  // Keeps the promise that a reader learns in time that storage cannot be reached.
  const connecting = setTimeout(() => socket.destroy(late(`no connection within ${s3ConnectMs} ms`)), s3ConnectMs);
  socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
  for (const end of ['end', 'timeout']) socket.once(end, () => socket.destroy());
  socket.on('error', (error) => reading?.fail(error));
  socket.once('close', () => {
    clearTimeout(connecting);
    reading?.fail(new Error('the connection was closed'));
    onClose(connection);
  });
  const connection: ReadConnection = {
    isOpen: () => !socket.destroyed,
    abandon: () => void (reading && socket.destroy()),
    read: async (request, takePart) => {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
      // At once: the end of the reader's own response must not abandon a complete read.
      const onEnd = (outcome: Outcome | Error): void => {
        reading = undefined;
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
        if (outcome === 'complete') socket.setTimeout(KEPT_MS).resume().unref();
        else socket.destroy();
      };
      socket.setTimeout(0).ref();
      reading = readResponse(request, { silentMs: s3TimeoutMs, takePart, resume: () => void socket.resume(), onEnd });
      socket.write(request.head);
      return promise;
    },
  };
  return connection;
}

function openSocket(endpoint: string, onread: NonNullable<TcpNetConnectOpts['onread']>): Socket {
  const { hostname, port, protocol } = new URL(endpoint);
  const secure = protocol === 'https:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const options = { host, port: Number(port || (secure ? 443 : 80)), noDelay: true, onread };
  return secure ? connectSecurely({ ...options, servername: isIP(host) === 0 ? host : '' }) : connect(options);
}

type Outcome = 'complete' | 'refused';
/** `take` says whether to read on at once. */
type Reading = { readonly take: (bytes: Buffer) => boolean; readonly fail: (error: Error) => void };
type ReadingDeps = {
  readonly silentMs: number;
  readonly takePart: TakePart;
  readonly resume: () => void;
  /** Called once. */
  readonly onEnd: (outcome: Outcome | Error) => void;
};

/** Parses one response, and passes its body on part by part. */
function readResponse(request: ReadRequest, { silentMs, takePart, resume, onEnd }: ReadingDeps): Reading {
  let [head, left] = ['', request.length];
  let [isBody, isWaiting] = [false, true];
  const end = (outcome: Outcome | Error): false => {
    clearTimeout(silence);
    onEnd(outcome);
    return false;
  };
  const fail = (error: Error): false => end(isBody || isLate(error) ? error : 'refused');
  // Keeps the promise that silent storage is noticed in time; the time in which the reader is slow does not count.
  const silence = setTimeout(() => isWaiting && fail(late(`no byte for ${silentMs} ms`)), silentMs);
  const onTaken = (): void => {
    isWaiting = true;
    silence.refresh();
    if (left === 0) end('complete');
    else resume();
  };
  const take = (bytes: Buffer): boolean => {
    let part = bytes;
    if (!isBody) {
      const before = head.length;
      head += bytes.toString('latin1');
      const headEnd = head.indexOf('\r\n\r\n');
      if (headEnd < 0) return head.length <= MAX_HEAD_BYTES || end('refused');
      if (!isWanted(head.slice(0, headEnd), request)) return end('refused');
      isBody = true;
      part = bytes.subarray(headEnd + 4 - before);
      if (part.length === 0) return true;
    }
    left -= part.length;
    if (left < 0) return fail(new Error('the response is longer than it states'));
    isWaiting = false;
    takePart(part, left === 0, onTaken);
    return false;
  };
  return { take, fail };
}

/** Whether the response's body is exactly the wanted one, and the connection is kept after it. */
function isWanted(head: string, { status, length }: ReadRequest): boolean {
  const [line = '', ...headers] = head.toLowerCase().split('\r\n');
  const has = (name: string): boolean => headers.some((header) => header.startsWith(`${name}:`));
  return (
    line.startsWith(`http/1.1 ${status} `) &&
    headers.some((header) => /^content-length: *(\d+) *$/.exec(header)?.[1] === String(length)) &&
    !has('transfer-encoding') &&
    !has('content-encoding') &&
    !headers.some((header) => /^connection:.*close/.test(header))
  );
}

function isLate(error: Error): boolean {
  return 'code' in error && error.code === 'ETIMEDOUT';
}
