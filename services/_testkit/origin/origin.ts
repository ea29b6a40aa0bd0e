/**
 * A source host for tests and the demo: files over HTTPS, with its own certificate authority and DNS names. A stack
 * fetches from it with `caFile` (SOURCE_CA_FILE), `dnsServer` (DNS_SERVERS) and `privateSources` (PRIVATE_SOURCES).
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import express, { type ErrorRequestHandler } from 'express';
import { makeCertificates } from '@vds/deploy-tools/secrets/certificates';
import { startDnsServer, type DnsNames } from './dns-server.ts';
import { answerStatus, serveFile, type Route } from './routes.ts';

export type OriginOptions = {
  /** Absolute path of the folder whose files are served for paths without a route. */
  readonly root: string;
  /** Names that a stack with `privateSources` may fetch from; the first is the one of `url()`. Default: `clips.test`. */
  readonly hosts?: readonly string[];
  /** Further names and their DNS answers (see dns-server.ts). The server's certificate covers them too. */
  readonly names?: DnsNames;
  /** The address to listen on, and to which the names resolve: loopback, or one that other machines reach. */
  readonly address?: string;
  /** Ports of the files and of DNS; free ones by default. */
  readonly ports?: { readonly https: number; readonly dns: number };
  /** Folder that keeps the certificates between runs; without it every start makes new ones. */
  readonly keep?: string;
  /** Paths with another behaviour than serving the file of that name, such as `/404.mp4`. */
  readonly routes?: Readonly<Record<string, Route>>;
};

export type SeenRequest = {
  readonly method: string;
  readonly host: string;
  /** Path without query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

export type Origin = {
  /** `https://<host>:<port><path>`. */
  readonly url: (path: string, host?: string) => string;
  readonly port: number;
  readonly caFile: string;
  /** `<address>:<port>` of the DNS server for the names. */
  readonly dnsServer: string;
  /** One `host:port=<address>:port` for each of `hosts`, joined by commas. */
  readonly privateSources: string;
  /** The settings with which a stack may fetch from here. */
  readonly environment: Readonly<Record<'SOURCE_CA_FILE' | 'DNS_SERVERS' | 'PRIVATE_SOURCES', string>>;
  /** Adds or replaces a route while running. */
  readonly route: (path: string, route: Route) => void;
  /** Every request so far, oldest first. */
  readonly requests: () => readonly SeenRequest[];
  readonly close: () => Promise<void>;
};

/** Starts the origin on a free port. `close` stops it and its DNS server, and removes its temporary files. */
export async function startOrigin({
  root,
  hosts = ['clips.test'],
  names = {},
  address = '127.0.0.1',
  ports = { https: 0, dns: 0 },
  keep,
  routes = {},
}: OriginOptions): Promise<Origin> {
  const first = hosts[0];
  if (first === undefined) throw new Error('startOrigin needs at least one host name');
  const dir = keep ?? (await mkdtemp(join(tmpdir(), 'vds-origin-')));
  const { caFile, certificate, key } = await certificatesIn(dir, [...hosts, ...Object.keys(names), address]);

  const seen: SeenRequest[] = [];
  const table = new Map(Object.entries(routes));
  const server = createServer({ key, cert: certificate }, makeApp(root, table, seen));
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(ports.https, address, resolve));
  const { port } = server.address() as AddressInfo;
  const dns = await startDnsServer(
    { ...Object.fromEntries(hosts.map((host) => [host, [address]])), ...names },
    { host: address, port: ports.dns },
  );
  const privateSources = hosts.map((host) => `${host}:${port}=${address}:${port}`).join(',');

  return {
    url: (path, host = first) => `https://${host}:${port}${path.startsWith('/') ? path : `/${path}`}`,
    port,
    caFile,
    dnsServer: dns.address,
    privateSources,
    environment: { SOURCE_CA_FILE: caFile, DNS_SERVERS: dns.address, PRIVATE_SOURCES: privateSources },
    route: (path, route) => void table.set(path, route),
    requests: () => [...seen],
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await dns.close();
      if (keep === undefined) await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The certificates in the folder, else new ones, which are stored there. */
async function certificatesIn(dir: string, hosts: readonly string[]) {
  const caFile = join(dir, 'ca.pem');
  const file = join(dir, 'server.json');
  if (!existsSync(file)) {
    const { caCertificate, certificate, key } = await makeCertificates(hosts);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await writeFile(caFile, caCertificate);
    await writeFile(file, JSON.stringify({ certificate, key }), { mode: 0o600 });
  }
  return { caFile, ...(JSON.parse(await readFile(file, 'utf8')) as { certificate: string; key: string }) };
}

function makeApp(root: string, routes: ReadonlyMap<string, Route>, seen: SeenRequest[]): express.Express {
  const app = express().disable('x-powered-by').set('etag', false);
  app.use(async (request, response) => {
    const { method, path, headers } = request;
    const earlier = seen.filter((one) => one.path === path).length;
    seen.push({ method, host: headers.host ?? '', path, headers });
    const name = decodePath(path);
    const inside = name === null ? null : normalize(name);
    const fallback = inside === null || inside.endsWith('/') ? answerStatus(404) : serveFile(join(root, inside));
    await (routes.get(path) ?? fallback)(request, response, earlier);
  });
  const onError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    if (response.headersSent) response.destroy();
    else
      response
        .status(500)
        .type('text/plain')
        .send(`${String(error)}\n`);
  };
  return app.use(onError);
}

function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null; // a malformed escape matches no file
  }
}
