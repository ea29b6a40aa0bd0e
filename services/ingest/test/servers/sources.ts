/** A source host, a DNS server and an opener that trusts and pins them: what tests of single requests share. */
import { createServer, type Server } from 'node:tls';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { AppError } from '@vds/chassis/errors';
import { parsePinnedHosts } from '@vds/chassis/net/public-address';
import { faultKindOf, sourceFaults } from '../../src/domain/source-fault.ts';
import { createDialer, pinOf } from '../../src/outbound/dial-source.ts';
import { createSourceOpener, type OpenedSource, type OpenSource, type Range } from '../../src/outbound/open-source.ts';
import { createHostResolver } from '../../src/outbound/resolve-host.ts';
import type { RateLimit } from '../../src/domain/transfer-rate.ts';
import { createAuthority, type ServerCertificate } from '@vds/deploy-tools/secrets/certificates';
import { startDnsServer } from '@vds/testkit/origin/dns-server';
import { serveBytes, startSourceServer } from './source-server.ts';

export const HOST = 'media.example';
/** What `/video.mp4` serves. */
export const BYTES = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 7919) % 251));

export type Sources = Awaited<ReturnType<typeof startSources>>;
type Deadlines = { readonly headersMs: number; readonly idleMs: number; readonly rate: RateLimit };

/** The bytes of a source to its end; it is closed then. */
export async function readAll(source: OpenedSource): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for (let chunk = await source.read(); chunk; chunk = await source.read()) chunks.push(chunk);
  } finally {
    await source.close();
  }
  return Buffer.concat(chunks);
}

export async function reasonOf(work: Promise<unknown>): Promise<string> {
  return (await faultOf(work)).reason;
}

/** The kind of fault that a promise rejects with, else its message; the code and the details for the partner. */
export function faultOf(
  work: Promise<unknown>,
): Promise<{ readonly reason: string; readonly code?: string; readonly details?: unknown }> {
  return work.then(
    () => ({ reason: 'nothing was thrown' }),
    (error: AppError) => {
      const kind = faultKindOf(error);
      return kind
        ? { reason: kind, code: sourceFaults[kind].code, details: error.details }
        : { reason: error.reason ?? error.message };
    },
  );
}

/**
 * `media.example` and `second.example` are the HTTPS server; `raw.example` sends the chunks given to `raw` and closes;
 * `guarded.example` requires a client certificate.
 */
export async function startSources() {
  const authority = await createAuthority();
  const certificate = await authority.issue([HOST, 'raw.example', 'second.example', 'guarded.example']);
  const server = await startSourceServer(certificate);
  const dns = await startDnsServer({ 'inside.example': ['127.0.0.1'], 'metadata.example': ['169.254.169.254'] });
  const raw = await startRaw(certificate);
  const guarded = await startGuarded(certificate);
  server.on('/video.mp4', serveBytes(BYTES));

  const pinned = parsePinnedHosts([
    `${HOST}:443=127.0.0.1:${server.port}`,
    `second.example:443=127.0.0.1:${server.port}`,
    `raw.example:443=127.0.0.1:${raw.port}`,
    `guarded.example:443=127.0.0.1:${guarded.port}`,
  ]);
  const resolve = createHostResolver([dns.address], 5_000);
  const dial = createDialer({
    resolve,
    blocked: [],
    nat64Prefixes: [],
    pinned,
    extraCa: authority.caCertificate,
    connectMs: 5_000,
    tlsMs: 5_000,
  });
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
    raw: raw.send,
    close: async (): Promise<void> => {
      raw.close();
      guarded.close();
      await server.close();
      await dns.close();
    },
  };
}

/** Responds to any input with the chunks given to `send`, and closes. */
async function startRaw({ key, certificate }: ServerCertificate) {
  let pieces: readonly string[] = [];
  const server = createServer({ key, cert: certificate }, (socket) => {
    socket.on('error', () => {}); // The client may disconnect early.
    socket.once('data', () => {
      for (const piece of pieces) socket.write(piece);
      socket.end();
    });
  });
  return { ...(await listening(server)), send: (...sent: readonly string[]): void => void (pieces = sent) };
}

async function listening(server: Server): Promise<{ readonly port: number; readonly close: () => void }> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

function startGuarded({ key, certificate }: ServerCertificate) {
  const server = createServer({ key, cert: certificate, requestCert: true, rejectUnauthorized: true });
  server.on('tlsClientError', () => {}); // We have no certificate to show.
  return listening(server);
}
