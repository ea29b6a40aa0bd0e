/** The gateway as main.ts composes it, in this process, with fake auth and catalog over real gRPC. */
import { serveHttp } from '@vds/chassis/http/http';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { clientOf } from '@vds/chassis/net/client-address';
import { hostKey, isPublicAddress, parseNetworks, parsePinnedHosts } from '@vds/chassis/net/public-address';
import { countRefusals } from '../src/inbound/refusals.ts';
import { loadContract } from '../src/inbound/contract.ts';
import { gatewayApp } from '../src/inbound/http.ts';
import { handleParserErrors } from '../src/inbound/protocol-errors.ts';
import { openAuthClient } from '../src/outbound/auth-client.ts';
import { openCatalogClient } from '../src/outbound/catalog-client.ts';
import { newRequestId, newVideoId } from '../src/outbound/new-id.ts';
import { expectContract, type Seen } from '@vds/proto/testing/contract-check';
import { serveFakePeers, type CatalogMethods, type FakePeers } from '@vds/testkit/harness/fake-peers';
import { noTls, tokenOf } from '@vds/testkit/harness/rpc-callers';

const contract = loadContract();

/** A log line of the gateway. */
export type LogLine = Readonly<Record<string, unknown>>;

export type GatewayOptions = {
  readonly privateSources?: readonly string[];
  readonly peerTimeoutMs?: number;
  readonly rpcToken?: string;
  readonly requestTimeoutMs?: number;
  readonly refusalsPerMinute?: number;
  readonly trustedHops?: readonly string[];
};
export type Gateway = Awaited<ReturnType<typeof startGateway>>;

/** auth's reply for a key within its limit. */
export const caller = {
  publisherId: 'pub1',
  keyId: 'k'.repeat(24),
  budgetId: 'bud1',
  scopes: ['videos:read', 'videos:write'],
  minute: { admitted: true, limit: 60, remaining: 59, retryAfterSeconds: 0 },
  dailyLimit: 500,
};

/** Serves auth and catalog on one port; each test passes the methods that it expects to be called. */
export function servePeers(peers: FakePeers, port = 0) {
  return serveFakePeers('gateway', peers, port);
}

/** Peers that accept every new video and call `onCreate` for each; `more` are further methods of catalog. */
export function serveAcceptingPeers(onCreate: () => void, more: Partial<CatalogMethods> = {}) {
  return servePeers({
    auth: { Authorize: async () => caller },
    catalog: {
      CreateVideo: async () => {
        onCreate();
        return { accepted: true, daily: { limit: 500, remaining: 498, resetsInSeconds: 60 } };
      },
      GetDailyCount: async () => ({ limit: 500, remaining: 499, resetsInSeconds: 60 }),
      ...more,
    },
  });
}

/** Starts the gateway with its services on `rpcPort`. */
export async function startGateway(rpcPort: number, options: GatewayOptions = {}) {
  const lines: LogLine[] = [];
  const stopping = new AbortController();
  const { app, closePeers } = compose(rpcPort, options, lines, stopping.signal);
  const http = await serveHttp(app, {
    port: 0,
    requireHostHeader: false,
    requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
    headersTimeoutMs: Math.min(10_000, options.requestTimeoutMs ?? 10_000),
    onServer: (server) => handleParserErrors(server, newRequestId),
  });
  const base = `http://127.0.0.1:${http.port}`;

  /** Sends a request and checks the response against the contract. */
  const call = async (method: string, path: string, init: RequestInit = {}): Promise<Seen> => {
    const response = await fetch(base + path, { method, ...init });
    const text = await response.text();
    const seen = {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    expectContract(method, path, seen);
    return seen;
  };
  return {
    base,
    port: http.port,
    lines,
    call,
    /** Like `call`, with credentials. */
    callAs: (key: string, method: string, path: string, init: RequestInit = {}): Promise<Seen> =>
      call(method, path, { ...init, headers: { authorization: `Bearer ${key}`, ...(init.headers as object) } }),
    startStopping: (): void => stopping.abort(),
    close: async (): Promise<void> => {
      await http.close();
      await closePeers();
    },
  };
}

/** Composes like main.ts, with a log that tests can read. */
function compose(rpcPort: number, options: GatewayOptions, lines: LogLine[], stopping: AbortSignal) {
  const log = createLogger('gateway', 'trace', { write: (line) => void lines.push(JSON.parse(line) as LogLine) });
  const target = `dns:///127.0.0.1:${rpcPort}`;
  const config = { rpcToken: options.rpcToken ?? tokenOf('gateway'), ...noTls };
  const timeoutMs = options.peerTimeoutMs ?? 3_000;
  const authClient = openAuthClient(target, config, timeoutMs);
  const catalogClient = openCatalogClient(target, config, timeoutMs);
  const pins = parsePinnedHosts(options.privateSources ?? []);
  const app = gatewayApp({
    authorize: authClient.authorize,
    refusals: countRefusals(options.refusalsPerMinute ?? 600),
    clientOf: (request) => clientOf(request, parseNetworks(options.trustedHops ?? [])).address,
    catalog: catalogClient,
    contract,
    addresses: {
      isPublic: (address) => isPublicAddress(address),
      trusted: (host, port) => pins.has(hostKey(host, port)),
    },
    playbackUrl: 'https://play.example.com',
    newVideoId,
    newRequestId,
    log,
    metrics: createMetrics('gateway'),
    stopping,
  });
  return { app, closePeers: () => Promise.all([catalogClient.close(), authClient.close()]) };
}

export function errorOf(seen: Seen): { code: string; message: string; request_id: string } {
  return (seen.body as { error: { code: string; message: string; request_id: string } }).error;
}
