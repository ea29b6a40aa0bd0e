/** A source host, a DNS server and an opener that trusts and pins them: what tests of single requests share. */
import { createServer } from 'node:tls';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { parsePinnedHosts } from '@vds/shared/public-address';
import { createDialer, pinOf } from '../../src/outbound/dial-source.ts';
import { createSourceOpener, type OpenedSource, type OpenSource, type Range } from '../../src/outbound/open-source.ts';
import { createHostResolver } from '../../src/outbound/resolve-host.ts';
import type { RateLimit } from '../../src/domain/transfer-rate.ts';
import { createAuthority } from './certificates.ts';
import { startDnsServer } from './dns-server.ts';
import { serveBytes, startSourceServer } from './source-server.ts';

export const HOST = 'media.example';
/** What `/video.mp4` serves. */
export const BYTES = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 7919) % 251));

export type Sources = Awaited<ReturnType<typeof startSources>>;
type Deadlines = { readonly headersMs: number; readonly idleMs: number; readonly rate: RateLimit };

/** The bytes of a source to its end; it is closed then. */
export const readAll = async (source: OpenedSource): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  try {
    for (let chunk = await source.read(); chunk; chunk = await source.read()) chunks.push(chunk);
  } finally {
    await source.close();
  }
  return Buffer.concat(chunks);
};

/** The kind of fault that a promise rejects with, else its message. */
export const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing was thrown',
    (error: { reason?: string; message: string }) => error.reason ?? error.message,
  );

/** `media.example` and `second.example` are the HTTPS server; `raw.example` sends the pieces given to `raw` and closes. */
export const startSources = async () => {
  const authority = await createAuthority();
  const certificate = await authority.issue([HOST, 'raw.example', 'second.example']);
  const server = await startSourceServer(certificate);
  const dns = await startDnsServer({ 'inside.example': ['127.0.0.1'], 'metadata.example': ['169.254.169.254'] });
  let pieces: readonly string[] = [];
  const raw = createServer(certificate, (socket) => {
    socket.on('error', () => {}); // The client may leave in the middle.
    socket.once('data', () => {
      for (const piece of pieces) socket.write(piece);
      socket.end();
    });
  }).listen(0, '127.0.0.1');
  await once(raw, 'listening');
  server.on('/video.mp4', serveBytes(BYTES));

  const pinned = parsePinnedHosts([
    `${HOST}:443=127.0.0.1:${server.port}`,
    `second.example:443=127.0.0.1:${server.port}`,
    `raw.example:443=127.0.0.1:${(raw.address() as AddressInfo).port}`,
  ]);
  const resolve = createHostResolver([dns.address], 5_000);
  const dial = createDialer({ resolve, blocked: [], pinned, extraCa: authority.ca, connectMs: 5_000, tlsMs: 5_000 });
  const opener = (deadlines: Partial<Deadlines> = {}): OpenSource =>
    createSourceOpener({
      dial,
      isPinned: (url) => pinOf(pinned, url) !== undefined,
      headersMs: 5_000,
      idleMs: 5_000,
      rate: { bytesPerSecond: 0, windowMs: 60_000 },
      ...deadlines,
    });

  return {
    server,
    opener,
    /** Opens a path of `media.example`, or a whole address. */
    open: (
      path: string,
      { range, using = opener() }: { range?: Range; using?: OpenSource } = {},
    ): Promise<OpenedSource> =>
      using(path.startsWith('https') ? path : `https://${HOST}${path}`, range, new AbortController().signal),
    raw: (...given: readonly string[]): void => void (pieces = given),
    close: async (): Promise<void> => {
      raw.close();
      await server.close();
      await dns.close();
    },
  };
};
